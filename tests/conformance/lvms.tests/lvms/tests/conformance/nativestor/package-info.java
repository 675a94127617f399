/** What users of NativeStor have, on a real cluster: TopolvmClusters, settings, raw devices. */
package lvms.tests.conformance.nativestor;
