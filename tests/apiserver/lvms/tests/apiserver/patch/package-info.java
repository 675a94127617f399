/** The patches of the Kubernetes API. */
package lvms.tests.apiserver.patch;
