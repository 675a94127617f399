#!/usr/bin/perl
# Sends one command to the management console of a running node, such as `config ubd3=/disks/c` or
# `remove ubd3`: mconsole.pl SOCKET COMMAND. Layout: arch/um/drivers/mconsole.h of Linux.
use strict;
use warnings;
use Socket;

my ($path, $command) = @ARGV;
socket(my $socket, AF_UNIX, SOCK_DGRAM, 0) or die "socket: $!\n";
my $own = "$path.$$";
bind($socket, sockaddr_un($own)) or die "bind $own: $!\n";
END { unlink $own if defined $own }
$SIG{ALRM} = sub { unlink $own; die "no answer from $path\n" };
alarm 10;
my $request = pack('LLLa512', 0xcafebabe, 2, length($command), $command);
send($socket, $request, 0, sockaddr_un($path)) or die "send to $path: $!\n";
my ($error, $more) = (0, 1);
while ($more) {
    recv($socket, my $reply, 4096, 0);
    ($error, $more, my $length) = unpack('LLL', $reply);
    print substr($reply, 12, $length);
}
unlink $own;
exit($error ? 1 : 0);
