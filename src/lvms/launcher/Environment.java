package lvms.launcher;

import java.util.Map;

/** The environment variables that a pod gets from its manifest. */
record Environment(Map<String, String> variables) {
    static Environment ofProcess() {
        return new Environment(System.getenv());
    }

    /** The value of a variable that must be set. */
    String required(String name) throws UsageException {
        var value = variables.getOrDefault(name, "");
        if (value.isEmpty()) {
            throw new UsageException(
                    "environment variable "
                            + name
                            + " is not set; the pod's manifest sets it from its own fields");
        }
        return value;
    }
}
