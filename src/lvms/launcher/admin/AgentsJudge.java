package lvms.launcher.admin;

import lvms.node.ClassDisagreements;
import lvms.node.LvmdSettings;
import lvms.operator.takeover.Takeover;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Judges files lvmd.yaml by the code of the node agents. */
public final class AgentsJudge implements Takeover.LvmdJudge {
    @Override
    public Optional<String> refusal(String yaml) {
        try {
            LvmdSettings.parse(yaml);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    @Override
    public List<String> remarks(String yaml) {
        if (refusal(yaml).isPresent()) {
            return List.of();
        }
        var settings = LvmdSettings.parse(yaml);
        return Stream.concat(settings.remarks().stream(), settings.classes().refusals().stream())
                .toList();
    }

    @Override
    public List<String> disagreements(Map<String, String> files) {
        var found = new ClassDisagreements();
        files.forEach(
                (name, yaml) -> {
                    if (refusal(yaml).isEmpty()) {
                        found.add(name, LvmdSettings.parse(yaml).classes());
                    }
                });
        return found.lines();
    }
}
