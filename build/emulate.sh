# emulate.sh ARCHITECTURE QEMU LAYER COMMAND...: runs a command in whose sight this machine runs programs of an image.
# QEMU is the folder with QEMU for an image of another architecture, else none; LAYER is the image's layer of Debian's
# packages. Started as root of a user namespace of its own, so that nobody else sees it: with Linux 6.7 binfmt_misc
# belongs to one.
set -eu
architecture=$1 qemu=$2 layer=$3
shift 3
if [ "$qemu" = none ]; then
    mount -t overlay -o "lowerdir=$layer/usr:/usr" overlay /usr
    exec "$@"
fi
# What an ELF file of 64 bits and of the machine begins with; OS ABI and type (program, library) may be others.
magic='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00'
mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
case $architecture in
amd64) machine='\x3e\x00' program=qemu-x86_64 ;;
arm64) machine='\xb7\x00' program=qemu-aarch64 ;;
*) exit 2 ;;
esac
# QEMU looks into the layer first, whose folders for what is the machine's are empty: a list of /dev would be.
for folder in dev proc run sys tmp; do
    mount --rbind "/$folder" "$layer/$folder"
done
mount -t binfmt_misc none /proc/sys/fs/binfmt_misc
printf '%s' ":lvms:M::$magic$machine:$mask:$qemu/$program:F" >/proc/sys/fs/binfmt_misc/register
QEMU_LD_PREFIX=$layer exec "$@"
