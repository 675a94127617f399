/** Reconcilers, driven by informers through a work queue. */
package lvms.k8s.controller;
