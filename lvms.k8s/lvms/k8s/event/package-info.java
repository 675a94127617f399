/**
 * Events ({@code events.k8s.io/v1}) that tell people about an object.
 *
 * <p>Begin with {@link lvms.k8s.event.EventRecorder}; the reasons of a program are constants that
 * implement {@link lvms.k8s.event.Reason}.
 *
 * {@snippet :
 * try (var events = EventRecorder.open(kube, "example.com/my-operator", podName)) {
 *     events.record(
 *             claim,
 *             EventRecorder.Type.WARNING,
 *             "ProvisioningFailed",
 *             "Provision",
 *             "no node has 10 GiB");
 * }
 * }
 *
 * <p>Recording never blocks. Equal events become a series; another note is another Event. Events
 * are for people: delivery is not guaranteed, so no program should wait for one.
 */
package lvms.k8s.event;
