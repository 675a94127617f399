package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/**
 * Devices that a class names although they are no plain disks, beside the whole node agent: arrays
 * of md, encrypted devices, disks with volumes of somebody else, disks that fail, disks that grow.
 */
@Lasts(seconds = 90)
@ExtendWith(AgentLog.class)
@FullOnly("ForcedWipeTests and ListedGroupTests hold what may be wiped")
class NamedDeviceLabTests {
    private static final long MIB = 1L << 20;

    /** The kernel refuses while somebody looks at the array, as an agent and udev do at times. */
    private static final String STOP_ARRAY =
            """
            for try in $(seq 100); do
              echo clear > /sys/block/md0/md/array_state && exit 0
              sleep 0.1
            done 2>/dev/null
            ls -l /proc/[0-9]*/fd 2>/dev/null | grep md0; exit 1
            """;

    @TempDir static Path folder;
    private static AgentNode agent;

    @BeforeAll
    static void boot() throws Exception {
        var disks = List.of(128 * MIB, 128 * MIB, 128 * MIB, 128 * MIB, 64 * MIB, 512 * MIB);
        agent = AgentNode.boot(folder, NodeOptions.named(AgentNode.NAME, disks).withUdev());
        agent.startAgent();
    }

    @AfterAll
    static void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
    }

    private static VolumeGroupStatus failed(String group, String why) throws Exception {
        AgentNode.until(
                () ->
                        agent.entry(group)
                                .filter(e -> e.is(VolumeGroupState.FAILED))
                                .filter(e -> e.reason().contains(why))
                                .isPresent());
        return agent.entry(group).orElseThrow();
    }

    private static String sum(String device, int mib) throws Exception {
        return agent.shell("sync; head -c %dM %s | sha256sum".formatted(mib, device));
    }

    private static String type(String device) throws Exception {
        return agent.shell("blkid -p -s TYPE -o value " + device + " || true").strip();
    }

    /**
     * A mirror as {@code mdadm} makes it, but for the superblocks: the kernel's own interface needs
     * no program. The first 2 MiB of each member are not part of it.
     */
    @Test
    @Safety(3)
    void anArrayIsADiskAndItsMembersKeepWhatTheyHave() throws Exception {
        agent.shell(
                """
                modprobe raid1 && echo md0 > /sys/module/md_mod/parameters/new_array &&
                cd /sys/block/md0/md && echo none > metadata_version && echo raid1 > level &&
                echo 2 > raid_disks && echo 122880 > component_size && slot=0 &&
                for disk in ubdb ubdc; do
                  cat /sys/block/$disk/dev > new_dev && echo 4096 > dev-$disk/offset &&
                  echo 122880 > dev-$disk/size && echo $slot > dev-$disk/slot && slot=1
                done && echo none > resync_start && echo active > array_state && udevadm settle
                """);
        agent.shell("dd if=/dev/urandom of=/dev/ubdb bs=1M count=2 conv=fsync status=none");
        lifeOf("/dev/md0", "raid", "/dev/ubdb");
        agent.shell(STOP_ARRAY);
    }

    /** The table that {@code cryptsetup open} would load, and the mark of the header below. */
    @Test
    @Safety(3)
    void anEncryptedDeviceIsADiskAndTheOneBelowKeepsItsHeader() throws Exception {
        agent.shell(
                """
                modprobe dm-crypt && printf 'LUKS\\272\\276\\000\\001' |
                  dd of=/dev/ubdd conv=fsync status=none &&
                key=$(printf 'a%.0s' $(seq 64))$(printf 'b%.0s' $(seq 64)) &&
                dmsetup create vault --uuid CRYPT-LUKS1-00112233445566778899aabbccddeeff-vault \
                  --table "0 $(($(blockdev --getsz /dev/ubdd) - 4096)) crypt aes-xts-plain64 $key \
                           0 /dev/ubdd 4096" && udevadm settle
                """);
        lifeOf("/dev/mapper/vault", "crypt", "/dev/ubdd");
        assertEquals("crypto_LUKS", type("/dev/ubdd"));
        agent.shell("dmsetup remove --retry vault && wipefs -qa /dev/ubdd");
    }

    /** From a filesystem that stays to one that is wiped, and to a group on a blank device. */
    private static void lifeOf(String device, String type, String below) throws Exception {
        agent.shell("mkfs.ext4 -q -F " + device);
        var header = sum(below, 2);
        var content = sum(device, 64);
        agent.create("asked", AgentNode.selecting(false, device));
        failed("asked", "has a filesystem signature \"ext4\"");
        agent.create("below", AgentNode.selecting(true, below));
        failed("below", "lies on it and has type \"" + type + "\"; take it down first");
        assertFalse(agent.group("below").wipedOn(AgentNode.NAME));
        agent.remove("asked");
        agent.remove("below");
        assertEquals(content, sum(device, 64));

        agent.create("wiped", AgentNode.selecting(true, device));
        var ready = agent.await("wiped", VolumeGroupState.READY);
        assertEquals(List.of(device), ready.devices());
        assertTrue(agent.group("wiped").wipedOn(AgentNode.NAME));
        agent.shell("lvcreate -qq -y -L 16M -n data wiped && mkfs.ext4 -q /dev/wiped/data");
        agent.shell("lvremove -qq -y wiped/data");
        agent.remove("wiped");

        agent.create("blank", AgentNode.selecting(false, device));
        assertEquals(List.of(device), agent.await("blank", VolumeGroupState.READY).devices());
        agent.remove("blank");
        assertEquals("", type(device));
        assertEquals(header, sum(below, 2));
    }

    @Test
    @Safety(3)
    void aForeignVolumeStaysWhileItIsMountedAndGoesWhenItIsNot() throws Exception {
        agent.shell(
                """
                vgcreate -qq -y foreign /dev/ubde && lvcreate -qq -y -L 16M -n data foreign &&
                mkfs.ext4 -q /dev/foreign/data && mkdir -p /mnt/foreign &&
                mount /dev/foreign/data /mnt/foreign && echo precious > /mnt/foreign/file
                """);
        agent.create("taker", AgentNode.selecting(true, "/dev/ubde"));
        failed("taker", "is in use: mounted at /mnt/foreign");
        assertFalse(agent.group("taker").wipedOn(AgentNode.NAME));
        agent.shell("vgs foreign && echo 3 > /proc/sys/vm/drop_caches");
        assertEquals("precious", agent.shell("cat /mnt/foreign/file"));

        agent.shell("umount /mnt/foreign"); // the volume stays active
        agent.await("taker", VolumeGroupState.READY);
        assertEquals("taker", agent.shell("pvs --noheadings -o vg_name /dev/ubde").strip());
        assertFalse(agent.node().run("vgs", "foreign").succeeded());
        agent.remove("taker");
    }

    /** A disk that takes no writes is not noted as wiped, and the status says what it said. */
    @Test
    @Safety(3)
    void aWipeThatFailsSaysWhyAndIsMadeAgain() throws Exception {
        agent.shell(
                """
                modprobe dm-flakey && dmsetup create frail --table \
                  "0 $(blockdev --getsz /dev/ubdf) linear /dev/ubdf 0" && udevadm settle &&
                mkfs.ext4 -q /dev/mapper/frail
                """);
        table("frail", "$(blockdev --getsz /dev/ubdf) flakey /dev/ubdf 0 0 60 1 error_writes");
        agent.create("frail", AgentNode.selecting(true, "/dev/mapper/frail"));
        var entry = failed("frail", "cannot wipe /dev/mapper/frail: ");
        assertTrue(entry.reason().contains("Input/output error"), entry.reason());
        assertFalse(agent.group("frail").wipedOn(AgentNode.NAME));

        table("frail", "$(blockdev --getsz /dev/ubdf) linear /dev/ubdf 0");
        agent.await("frail", VolumeGroupState.READY);
        assertTrue(agent.group("frail").wipedOn(AgentNode.NAME));
        agent.remove("frail");
        agent.shell("dmsetup remove --retry frail");
    }

    private static void table(String name, String table) throws Exception {
        agent.shell(
                "dmsetup suspend %s && dmsetup reload %s --table \"0 %s\" && dmsetup resume %s"
                        .formatted(name, name, table, name));
    }

    /** A disk that grows, as in a storage array or a virtual machine, while a volume is mounted. */
    @Test
    void aThinPoolGrowsWithItsDiskAndItsMetadataWithTheClass() throws Exception {
        agent.shell(
                "dmsetup create array --table '0 262144 linear /dev/ubdg 2048'; udevadm settle");
        var spec =
                """
                {"deviceSelector": {"paths": ["/dev/mapper/array"]},
                 "thinPoolConfig": {"name": "pool", "sizePercent": 80, "overprovisionRatio": 10,
                                    "metadataSizeCalculationPolicy": "Static",
                                    "metadataSize": "8Mi"}}
                """;
        agent.create("grows", spec);
        agent.await("grows", VolumeGroupState.READY);
        assertEquals(8 * MIB, agent.lvs("lv_metadata_size", "grows/pool"));
        assertEquals(128 * 1024, agent.lvs("chunk_size", "grows/pool"));
        agent.shell(
                """
                lvcreate -qq -y -V 256M -n data grows/pool && mkfs.ext4 -q /dev/grows/data &&
                mkdir -p /mnt/data && mount /dev/grows/data /mnt/data &&
                dd if=/dev/urandom of=/mnt/data/file bs=1M count=16 conv=fsync status=none &&
                sha256sum /mnt/data/file > /run/sums
                """);
        double before = agent.lvs("lv_size", "grows/pool");

        table("array", "786432 linear /dev/ubdg 2048");
        AgentNode.until(() -> agent.lvs("lv_size", "grows/pool") > 2 * before);
        agent.await("grows", VolumeGroupState.READY);
        var pool = agent.lvs("lv_size", "grows/pool");
        AgentNode.until(() -> agent.capacity("grows") == (long) (10 * pool) - 256 * MIB);

        agent.change("grows", spec.replace("8Mi", "16Mi"));
        AgentNode.until(() -> agent.lvs("lv_metadata_size", "grows/pool") == 16 * MIB);
        agent.await("grows", VolumeGroupState.READY);
        agent.shell("echo 3 > /proc/sys/vm/drop_caches; sha256sum -c --quiet /run/sums");
        agent.shell("umount /mnt/data && e2fsck -fn /dev/grows/data && lvremove -qq -y grows/data");
        agent.remove("grows");
        agent.shell("dmsetup remove --retry array");
    }
}
