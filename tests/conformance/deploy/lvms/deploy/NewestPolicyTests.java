package lvms.deploy;

import lvms.tests.cluster.Programs;

/** The policy for node agents, on the newest API server that is supported. */
class NewestPolicyTests extends ServedPolicyRules {
    NewestPolicyTests() {
        super(Programs.NEWEST);
    }
}
