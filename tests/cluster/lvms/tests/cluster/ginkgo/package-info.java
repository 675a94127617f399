/** What the suites of Kubernetes report, which are written with ginkgo. */
package lvms.tests.cluster.ginkgo;
