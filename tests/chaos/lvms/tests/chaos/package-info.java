/**
 * Random work and random harm on a real cluster, and the proof that nothing was lost, nothing is
 * left and nothing shows what it must not.
 *
 * <p>{@link lvms.tests.chaos.Chaos} runs rounds: {@link lvms.tests.chaos.Work} makes and deletes
 * volumes, {@link lvms.tests.chaos.Harm} breaks something in between, and {@link
 * lvms.tests.chaos.Reckoning} waits until all is quiet and compares disks, objects, mounts and what
 * each volume's {@link lvms.tests.chaos.Journal} holds. The seed decides what is done and in which
 * order; when the cluster does it is its own.
 */
package lvms.tests.chaos;
