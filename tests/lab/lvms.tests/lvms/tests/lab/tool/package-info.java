/** The lab as a tool: a process that holds a cluster, and a client that speaks to it. */
package lvms.tests.lab.tool;
