package lvms.node.csi;

import java.util.Map;
import java.util.Set;

/**
 * The mount options that a StorageClass may ask for: those of mount(8), ext4(5), xfs(5) and
 * btrfs(5) that concern this volume alone. Options that name another device, and those that let an
 * error of one volume stop the whole node, are not among them.
 */
final class AllowedOptions {
    private static final Set<String> OF_ALL =
            words(
                    """
                    ro rw suid nosuid dev nodev exec noexec sync async dirsync atime noatime
                    diratime nodiratime relatime norelatime strictatime nostrictatime lazytime
                    nolazytime iversion noiversion symfollow nosymfollow silent loud context
                    fscontext defcontext rootcontext acl noacl discard nodiscard barrier nobarrier
                    """);

    private static final Set<String> EXT4 =
            words(
                    """
                    auto_da_alloc noauto_da_alloc block_validity noblock_validity bsddf minixdf
                    bsdgroups sysvgroups grpid nogrpid commit data data_err dax debug delalloc
                    nodelalloc dioread_lock dioread_nolock errors=continue errors=remount-ro
                    grpjquota usrjquota prjquota grpquota usrquota quota noquota i_version
                    init_itable noinit_itable inode_readahead_blks journal_async_commit
                    journal_checksum nojournal_checksum journal_ioprio max_batch_time
                    min_batch_time max_dir_size_kb mb_optimize_scan noload norecovery resgid
                    resuid stripe user_xattr nouser_xattr nombcache no_prefetch_block_bitmaps
                    """);

    private static final Set<String> XFS =
            words(
                    """
                    allocsize attr2 noattr2 dax filestreams grpid bsdgroups nogrpid sysvgroups
                    ikeep noikeep inode32 inode64 largeio nolargeio logbufs logbsize noalign
                    norecovery nouuid noquota uquota usrquota quota uqnoenforce qnoenforce gquota
                    grpquota gqnoenforce pquota prjquota pqnoenforce sunit swidth swalloc wsync
                    max_atomic_write lifetime nolifetime
                    """);

    private static final Set<String> BTRFS =
            words(
                    """
                    autodefrag noautodefrag commit compress compress-force nocompress datacow
                    nodatacow datasum nodatasum degraded discard=async discard=sync flushoncommit
                    noflushoncommit max_inline metadata_ratio nologreplay rescue skip_balance
                    space_cache nospace_cache clear_cache ssd nossd ssd_spread nossd_spread
                    thread_pool treelog notreelog usebackuproot user_subvol_rm_allowed
                    """);

    private static final Map<Filesystem, Set<String>> OF_ONE =
            Map.of(Filesystem.EXT4, EXT4, Filesystem.XFS, XFS, Filesystem.BTRFS, BTRFS);

    /** Options that matter only in fstab; mount(8) drops them too. */
    private static final Set<String> FSTAB_ONLY =
            words("defaults auto noauto user nouser users owner group _netdev nofail comment");

    private AllowedOptions() {}

    private static Set<String> words(String text) {
        return Set.of(text.strip().split("\\s+"));
    }

    /**
     * Returns whether a mount of this filesystem may have the option, as a name or with a value.
     */
    static boolean allows(Filesystem filesystem, String option) {
        var own = OF_ONE.get(filesystem);
        var name = name(option);
        return isForFstab(option)
                || OF_ALL.contains(name)
                || own.contains(option)
                || own.contains(name);
    }

    /** Returns whether the kernel never sees the option. */
    static boolean isForFstab(String option) {
        return FSTAB_ONLY.contains(name(option))
                || option.startsWith("x-")
                || option.startsWith("X-");
    }

    /** Returns the option without its value. */
    static String name(String option) {
        int equals = option.indexOf('=');
        return equals < 0 ? option : option.substring(0, equals);
    }
}
