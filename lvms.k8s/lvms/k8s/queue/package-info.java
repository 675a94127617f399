/**
 * A work queue that never gives a key to two workers at once.
 *
 * <p>{@link lvms.k8s.queue.WorkQueue} is what controllers run on; {@link lvms.k8s.queue.Backoff} is
 * useful on its own.
 *
 * {@snippet :
 * var key = queue.take(); // empty once the queue is shut down
 * if (key.isPresent()) {
 *     try {
 *         work(key.get());
 *         queue.forget(key.get());
 *     } catch (IOException e) {
 *         queue.addAfterFailure(key.get());
 *     } finally {
 *         queue.done(key.get());
 *     }
 * }
 * }
 *
 * <p>There are no priorities, and nothing is kept on disk.
 */
package lvms.k8s.queue;
