/**
 * A work queue that never gives a key to two workers at once.
 *
 * <p>{@link lvms.k8s.queue.WorkQueue} is what controllers run on. A {@link
 * lvms.k8s.queue.RateLimiter} says when a key that failed comes back; {@link
 * lvms.k8s.queue.Backoff} is useful on its own.
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
 * <p>Nothing is kept on disk.
 */
package lvms.k8s.queue;
