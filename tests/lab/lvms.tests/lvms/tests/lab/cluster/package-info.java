/** A whole cluster in one lab: API server, stand-ins of the control plane, nodes with kubelets. */
package lvms.tests.lab.cluster;
