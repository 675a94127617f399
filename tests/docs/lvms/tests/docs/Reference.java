package lvms.tests.docs;

import lvms.launcher.CommandSection;
import lvms.operator.cluster.ConditionSection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The page {@code docs/reference.md}. */
public final class Reference {
    /** Where the page is, from the root of the repository. */
    public static final Path PAGE = Path.of("docs/reference.md");

    private static final String HEAD =
            """
            # Reference

            Made by `./build.sh docs` from the schemas, metrics, reasons and flags in the sources. \
            Do not edit it here.

            - [Objects](#objects): every field of our kinds
            - [Conditions](#conditions) and [events](#events)
            - [Metrics](#metrics)
            - [Commands](#commands): flags, environment variables, exit codes

            """;

    private Reference() {}

    /** Writes the page, and the tables of the pages about safety and the Kubernetes client. */
    public static void main(String[] args) throws IOException {
        Files.writeString(PAGE, text());
        Files.writeString(SafetyTable.PAGE, SafetyTable.text());
        Files.writeString(BehaviourTable.PAGE, BehaviourTable.text());
    }

    /** Returns the page as the sources want it. */
    public static String text() throws IOException {
        return HEAD
                + String.join(
                        "\n",
                        List.of(
                                ObjectSection.text(
                                        List.of(
                                                Path.of("deploy/base/crds"),
                                                Path.of("deploy/nativestor/crds"))),
                                ConditionSection.text(),
                                EventSection.text(),
                                MetricSection.text(),
                                CommandSection.text()));
    }
}
