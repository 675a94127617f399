package lvms.k8s.exec;

import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Set;

/** Permissions as the nine bits of a mode. */
final class Modes {
    private static final PosixFilePermission[] HIGHEST_FIRST = {
        PosixFilePermission.OWNER_READ,
        PosixFilePermission.OWNER_WRITE,
        PosixFilePermission.OWNER_EXECUTE,
        PosixFilePermission.GROUP_READ,
        PosixFilePermission.GROUP_WRITE,
        PosixFilePermission.GROUP_EXECUTE,
        PosixFilePermission.OTHERS_READ,
        PosixFilePermission.OTHERS_WRITE,
        PosixFilePermission.OTHERS_EXECUTE
    };

    private Modes() {}

    static int of(Set<PosixFilePermission> permissions) {
        int mode = 0;
        for (var permission : HIGHEST_FIRST) {
            mode = mode << 1 | (permissions.contains(permission) ? 1 : 0);
        }
        return mode;
    }

    static Set<PosixFilePermission> permissions(int mode) {
        var permissions = EnumSet.noneOf(PosixFilePermission.class);
        for (int i = 0; i < HIGHEST_FIRST.length; i++) {
            if ((mode >> HIGHEST_FIRST.length - 1 - i & 1) == 1) {
                permissions.add(HIGHEST_FIRST[i]);
            }
        }
        return permissions;
    }
}
