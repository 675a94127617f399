package lvms.launcher.flag;

import lvms.api.Driver;

import java.util.Map;

/** The environment variables that a pod gets from its manifest. */
public record Environment(Map<String, String> variables) {
    public static Environment ofProcess() {
        return new Environment(System.getenv());
    }

    /** The value of a variable that must be set. */
    public String required(Variable variable) throws UsageException {
        var value = variables.getOrDefault(variable.name(), "");
        if (value.isEmpty()) {
            throw new UsageException(
                    "environment variable "
                            + variable.name()
                            + " is not set: give the "
                            + variable.meaning());
        }
        return value;
    }

    /** The driver by which TopoLVM's programs go: the old one if the variable has any text. */
    public Driver driver() {
        return variables.getOrDefault(Variable.LEGACY.name(), "").isEmpty()
                ? Driver.TOPOLVM
                : Driver.LEGACY;
    }
}
