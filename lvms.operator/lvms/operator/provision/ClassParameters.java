package lvms.operator.provision;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.filesystem.MkfsOptions;
import lvms.k8s.object.Names;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.operator.volume.Access;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a StorageClass says about volumes.
 *
 * @param deviceClass device class, empty for the default one
 * @param optionClass class of lvcreate options, empty for none
 * @param fsType filesystem type, empty for the node's default
 * @param mkfsOptions how to make the filesystem, see {@link MkfsOptions}; may be empty
 * @param secrets references to secrets by purpose, such as {@code node-stage}
 */
record ClassParameters(
        String deviceClass,
        String optionClass,
        String fsType,
        String mkfsOptions,
        Map<String, SecretReference> secrets,
        List<String> mountOptions) {
    private static final String RESERVED = "csi.storage.k8s.io/";
    private static final List<String> PURPOSES =
            List.of(
                    "provisioner",
                    "controller-publish",
                    "node-stage",
                    "node-publish",
                    "controller-expand",
                    "node-expand",
                    "controller-modify");
    private static final Pattern ANNOTATION =
            Pattern.compile("\\$\\{pvc\\.annotations\\['([^}]*)']}");
    private static final String FS_TYPE = "fstype";

    /** The deprecated key may be written in any case. */
    private static final Predicate<String> NAMES_FS =
            key -> key.equalsIgnoreCase(FS_TYPE) || key.equals(RESERVED + FS_TYPE);

    private static final Set<String> TEMPLATE_NAMES = Set.of("pv.name", "pvc.namespace");

    /** Returns how a pod sees the volume of a claim with this mode. */
    Access access(String volumeMode) {
        return volumeMode.equals("Block")
                ? new Access.Block()
                : new Access.Mount(fsType, mkfsOptions, mountOptions);
    }

    /** A secret by name and namespace. */
    record SecretReference(String namespace, String name) {}

    /**
     * Reads the parameters of a class for one claim.
     *
     * @throws VolumeException INVALID_ARGUMENT if nobody could obey a parameter
     */
    static ClassParameters of(StorageClass storageClass, Claim claim, Driver driver)
            throws VolumeException {
        var parameters = storageClass.parameters();
        for (var key : parameters.keySet()) {
            if (key.startsWith(RESERVED) && !known(key.substring(RESERVED.length()))) {
                throw invalid(
                        "parameter "
                                + key
                                + " is unknown; the prefix "
                                + RESERVED
                                + " is reserved");
            }
        }
        return new ClassParameters(
                parameters.getOrDefault(driver.deviceClassParameter(), ""),
                parameters.getOrDefault(driver.optionClassParameter(), ""),
                fsType(parameters),
                parameters.getOrDefault(MkfsOptions.PARAMETER, ""),
                secrets(parameters, claim),
                storageClass.mountOptions());
    }

    /** Returns which annotations of the claim the class's templates ask for. */
    static Set<String> annotations(StorageClass storageClass) {
        return storageClass.parameters().values().stream()
                .flatMap(value -> ANNOTATION.matcher(value).results())
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
    }

    private static boolean known(String key) {
        if (key.equals(FS_TYPE) || key.equals("secret-name") || key.equals("secret-namespace")) {
            return true;
        }
        return PURPOSES.stream()
                .anyMatch(
                        purpose ->
                                key.equals(purpose + "-secret-name")
                                        || key.equals(purpose + "-secret-namespace"));
    }

    /** Returns the class with this filesystem, if it names none itself and one is given. */
    static StorageClass withFsType(StorageClass storageClass, String fsType) {
        return fsType.isEmpty() || storageClass.parameters().keySet().stream().anyMatch(NAMES_FS)
                ? storageClass
                : storageClass.withParameter(RESERVED + FS_TYPE, fsType);
    }

    private static String fsType(Map<String, String> parameters) throws VolumeException {
        var values = new ArrayList<String>();
        for (var parameter : parameters.entrySet()) {
            if (NAMES_FS.test(parameter.getKey())) {
                values.add(parameter.getValue());
            }
        }
        if (values.size() > 1) {
            throw invalid("the filesystem type is given twice");
        }
        return values.isEmpty() ? "" : values.getFirst();
    }

    private static Map<String, SecretReference> secrets(Map<String, String> parameters, Claim claim)
            throws VolumeException {
        var secrets = new LinkedHashMap<String, SecretReference>();
        for (var purpose : PURPOSES) {
            var own = secret(parameters, RESERVED + purpose + "-", claim);
            var found = own.isPresent() ? own : secret(parameters, RESERVED, claim);
            found.ifPresent(reference -> secrets.put(purpose, reference));
        }
        return secrets;
    }

    private static Optional<SecretReference> secret(
            Map<String, String> parameters, String prefix, Claim claim) throws VolumeException {
        var name = parameters.get(prefix + "secret-name");
        var namespace = parameters.get(prefix + "secret-namespace");
        if (name == null && namespace == null) {
            return Optional.empty();
        }
        if (name == null || namespace == null) {
            throw invalid(prefix + "secret-name and -namespace must be set together");
        }
        var reference =
                new SecretReference(resolve(namespace, claim, false), resolve(name, claim, true));
        if (!Names.isDnsLabel(reference.namespace()) || !Names.isDnsSubdomain(reference.name())) {
            throw invalid(
                    prefix + "secret-name: " + reference + " is not a valid name of a secret");
        }
        return Optional.of(reference);
    }

    /** Fills in the templates of a secret's name, or of its namespace, which allows fewer. */
    private static String resolve(String template, Claim claim, boolean isName)
            throws VolumeException {
        var out = new StringBuilder();
        int at = 0;
        for (int start = template.indexOf("${"); start >= 0; start = template.indexOf("${", at)) {
            int end = template.indexOf('}', start);
            if (end < 0) {
                throw invalid("unfinished template in " + template);
            }
            var key = template.substring(start + 2, end);
            if (!isName && !TEMPLATE_NAMES.contains(key)) {
                throw invalid("unknown template in " + template);
            }
            out.append(template, at, start).append(value(key, claim));
            at = end + 1;
        }
        return out.append(template.substring(at)).toString();
    }

    private static String value(String key, Claim claim) throws VolumeException {
        var annotation = "pvc.annotations['";
        if (key.startsWith(annotation) && key.endsWith("']")) {
            var name = key.substring(annotation.length(), key.length() - 2);
            return claim.object()
                    .annotation(name)
                    .orElseThrow(() -> invalid("the claim has no annotation " + name));
        }
        return switch (key) {
            case "pv.name" -> claim.targetVolume();
            case "pvc.namespace" -> claim.key().namespace();
            case "pvc.name" -> claim.key().name();
            default -> throw invalid("unknown template ${" + key + "}");
        };
    }

    private static VolumeException invalid(String text) {
        return new VolumeException(StatusCode.INVALID_ARGUMENT, text);
    }
}
