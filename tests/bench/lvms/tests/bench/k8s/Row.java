package lvms.tests.bench.k8s;

/**
 * What was measured of one client.
 *
 * @param startMillis from the start of the process until it has a list of one pod
 * @param startToSyncedMillis from the start of the process until it has all
 * @param syncedMillis the part of it from before its client was made
 * @param peakBytes resident memory by then, at most
 * @param keptBytes of its heap after a collection, for each pod
 * @param plainBytes the same, if the server's pods have no managedFields
 * @param eventsPerSecond that reach a handler
 * @param p50Micros from the sending of an event to its pass, half of them
 * @param p99Micros 99 of 100
 */
record Row(
        double startMillis,
        double startToSyncedMillis,
        double syncedMillis,
        double peakBytes,
        double keptBytes,
        double plainBytes,
        double eventsPerSecond,
        double p50Micros,
        double p99Micros) {}
