/** What the product does in a whole cluster, also when things break in the middle. */
package lvms.tests.lab.scenario;
