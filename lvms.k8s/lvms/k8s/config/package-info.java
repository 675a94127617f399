/** Where the API server is, whom to trust, and who we are: kubeconfig files and pods. */
package lvms.k8s.config;
