/**
 * Small stand-ins for the parts of Kubernetes that a cluster has and we do not ship: the scheduler,
 * the binder of claims, the controllers of DaemonSets and Deployments, and the snapshot controller.
 * They do as the real ones do as far as our product can see, and a write of ours that the real ones
 * would refuse or trip over is kept as a violation that fails the test.
 */
package lvms.tests.lab.standin;
