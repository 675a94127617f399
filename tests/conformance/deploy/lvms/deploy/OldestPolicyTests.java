package lvms.deploy;

import lvms.tests.cluster.Programs;

/** The policy for node agents, on the oldest API server that is supported. */
class OldestPolicyTests extends ServedPolicyRules {
    OldestPolicyTests() {
        super(Programs.OLDEST);
    }
}
