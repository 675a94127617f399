package lvms.operator.topolvmcluster.rule;

import lvms.api.nativestor.ListedClass;
import lvms.api.nativestor.NodeClasses;
import lvms.operator.cluster.rule.Findings;

import java.util.HashMap;
import java.util.HashSet;
import java.util.regex.Pattern;

/** The rules for the classes of one node. */
final class ClassRules {
    // The name becomes the key of a Node annotation; the same rule as lvmd's.
    private static final Pattern CLASS_NAME =
            Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    // lvm(8), VALID NAMES
    private static final Pattern GROUP_NAME =
            Pattern.compile("[A-Za-z0-9_+.][-A-Za-z0-9_+.]{0,126}");

    // lvmd.yaml of TopoLVM
    private static final Pattern STRIPE_SIZE = Pattern.compile("[0-9]*[kKmMgGtTpPeEbBsS]?");

    private ClassRules() {}

    static void check(NodeClasses node, boolean useLoop, Findings findings) {
        var where = "node " + node.nodeName();
        var names = new HashSet<String>();
        var groups = new HashSet<String>();
        var devices = new HashMap<String, String>();
        for (var listed : node.classes()) {
            names(where, listed.className(), listed.volumeGroup(), findings);
            repeated(where, listed, names, groups, findings);
            var inClass = where + ", class " + listed.className();
            numbers(inClass, listed, findings);
            DeviceRules.check(inClass, listed.devices(), useLoop, findings);
            LayoutRules.ofListed(inClass, listed, findings);
            for (var device : listed.devices()) {
                var other = devices.putIfAbsent(device.name(), listed.className());
                findings.errorIf(
                        other != null && !other.equals(listed.className()),
                        StorageRules.error(
                                where,
                                "device %s is in classes %s and %s: leave it in one of them"
                                        .formatted(device.name(), other, listed.className())));
            }
        }
        defaults(where, node, findings);
    }

    static void names(String where, String className, String volumeGroup, Findings findings) {
        findings.errorIf(
                !className.isEmpty() && !CLASS_NAME.matcher(className).matches(),
                StorageRules.error(
                        where,
                        "className \"%s\" must have at most 63 letters, digits, -, _ and ., with a"
                                        .formatted(className)
                                + " letter or digit first and last"));
        findings.errorIf(
                !volumeGroup.isEmpty() && !isGroupName(volumeGroup),
                StorageRules.error(
                        where,
                        "volume group \"%s\" must have at most 127 letters, digits, +, _, . and -,"
                                        .formatted(volumeGroup)
                                + " and no - first"));
    }

    /** Returns whether LVM allows the name for a volume group. */
    static boolean isGroupName(String name) {
        return GROUP_NAME.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    private static void repeated(
            String where,
            ListedClass listed,
            HashSet<String> names,
            HashSet<String> groups,
            Findings findings) {
        findings.errorIf(
                listed.className().isEmpty(),
                StorageRules.error(where, "a class has no className: set it"));
        findings.errorIf(
                listed.volumeGroup().isEmpty(),
                StorageRules.error(
                        where, "class " + listed.className() + " has no volumeGroup: set it"));
        findings.errorIf(
                !listed.className().isEmpty() && !names.add(listed.className()),
                StorageRules.error(
                        where,
                        "class %s is listed twice: put its devices into one entry, or rename one"
                                .formatted(listed.className())));
        findings.errorIf(
                !listed.volumeGroup().isEmpty() && !groups.add(listed.volumeGroup()),
                StorageRules.error(
                        where,
                        "volume group %s is in two classes: a volume group has one class, so rename"
                                        .formatted(listed.volumeGroup())
                                + " one"));
    }

    private static void numbers(String where, ListedClass listed, Findings findings) {
        findings.errorIf(
                listed.spareGb().orElse(0) < 0,
                StorageRules.error(where, "spareGb must not be negative"));
        findings.errorIf(
                listed.stripe().orElse(0) < 0,
                StorageRules.error(where, "stripe must not be negative"));
        findings.errorIf(
                !STRIPE_SIZE.matcher(listed.stripeSize()).matches(),
                StorageRules.error(
                        where,
                        "stripeSize \"%s\" must be a number with one of k, m, g, t, p, e, b and s"
                                        .formatted(listed.stripeSize())
                                + " behind it, such as 64k"));
        findings.warningIf(
                !listed.stripeSize().isEmpty() && listed.stripe().orElse(0) == 0,
                where + ": stripeSize has no effect without stripe");
    }

    private static void defaults(String where, NodeClasses node, Findings findings) {
        var marked =
                node.classes().stream()
                        .filter(ListedClass::isDefault)
                        .map(ListedClass::className)
                        .toList();
        findings.errorIf(
                marked.size() > 1,
                StorageRules.error(
                        where,
                        "classes "
                                + String.join(", ", marked)
                                + " are marked as default: leave one"));
        findings.warningIf(
                marked.isEmpty() && !node.classes().isEmpty(),
                where
                        + ": no class is the default, so volumes of StorageClasses without a"
                        + " device class cannot be made there: mark one");
    }
}
