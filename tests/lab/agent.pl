#!/usr/bin/perl
# Runs commands on a lab node for whoever connects, and is its process 1. perl, since every Debian
# has it and it starts in 40 ms where a JVM takes a second.
#
# Request: one byte kind ('R' run, 'S' start in the background with output to a file), then a count
# and that many strings; numbers are 4 bytes, big-endian, strings are a length and bytes. For 'R' the
# first string is standard input, for 'S' the log file; the rest is the command.
# 'U' has one string, the path of a Unix socket of the node, and joins the connection with it.
# Answer of 'R': exit status (128 + signal if killed), standard output, standard error.
# Answer of 'S': process id. Who closes the connection of an 'R' kills the command's process group.
use strict;
use warnings;
use IO::Select;
use POSIX ();
use Socket;

$SIG{CHLD} = 'IGNORE';    # the kernel reaps orphans for process 1
$ENV{HOME} = '/root';
$ENV{PATH} = '/usr/sbin:/usr/bin:/sbin:/bin:/run/lab/tools';

sub readFully {
    my ($socket, $length) = @_;
    my $bytes = '';
    while (length($bytes) < $length) {
        my $count = sysread($socket, $bytes, $length - length($bytes), length($bytes));
        POSIX::_exit(0) unless $count;
    }
    return $bytes;
}

sub readString { my ($socket) = @_; return readFully($socket, unpack('N', readFully($socket, 4))); }

sub writeFully {
    my ($socket, $bytes) = @_;
    while (length $bytes) {
        my $count = syswrite($socket, $bytes) or return;
        substr($bytes, 0, $count) = '';
    }
}

sub execute {
    my ($in, $out, $err, @command) = @_;
    POSIX::setsid();
    $SIG{CHLD} = 'DEFAULT';
    $SIG{PIPE} = 'DEFAULT';
    POSIX::dup2(fileno($in), 0);
    POSIX::dup2(fileno($out), 1);
    POSIX::dup2(fileno($err), 2);
    POSIX::close($_) for 3 .. 64;
    { no warnings; exec { $command[0] } @command; }
    syswrite(STDERR, "$command[0]: $!\n");
    POSIX::_exit(127);
}

sub start {
    my ($socket, $log, @command) = @_;
    open(my $in, '<', '/dev/null');
    my $out;
    open($out, '>>', $log) or open($out, '>', '/dev/null');
    my $pid = fork();
    execute($in, $out, $out, @command) if $pid == 0;
    writeFully($socket, pack('N', $pid));
}

sub run {
    my ($socket, $input, @command) = @_;
    $SIG{CHLD} = 'DEFAULT';
    $SIG{PIPE} = 'IGNORE';
    open(my $in, '+>', undef);
    syswrite($in, $input);
    sysseek($in, 0, 0);
    pipe(my $outRead, my $outWrite);
    pipe(my $errRead, my $errWrite);
    my $pid = fork();
    execute($in, $outWrite, $errWrite, @command) if $pid == 0;
    close($_) for $in, $outWrite, $errWrite;
    my %text = (fileno($outRead) => '', fileno($errRead) => '');
    my $select = IO::Select->new($outRead, $errRead, $socket);
    while ($select->count > 1) {
        for my $ready ($select->can_read) {
            if ($ready == $socket) {
                kill('KILL', -$pid);
                POSIX::_exit(0);
            }
            my $count = sysread($ready, $text{fileno($ready)}, 65536, length($text{fileno($ready)}));
            $select->remove($ready) unless $count;
        }
    }
    waitpid($pid, 0);
    my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    my ($out, $err) = ($text{fileno($outRead)}, $text{fileno($errRead)});
    writeFully($socket, pack('N', $status) . pack('N', length($out)) . $out . pack('N', length($err)) . $err);
}

sub join_sockets {
    my ($socket, $path) = @_;
    $SIG{PIPE} = 'IGNORE';
    socket(my $unix, AF_UNIX, SOCK_STREAM, 0) or return;
    connect($unix, sockaddr_un($path)) or return;
    my %other = (fileno($socket) => $unix, fileno($unix) => $socket);
    my $select = IO::Select->new($socket, $unix);
    while (1) {
        for my $ready ($select->can_read) {
            my $count = sysread($ready, my $bytes, 65536);
            return unless $count;
            writeFully($other{fileno($ready)}, $bytes);
        }
    }
}

socket(my $server, PF_INET, SOCK_STREAM, 0) or die "socket: $!";
setsockopt($server, SOL_SOCKET, SO_REUSEADDR, 1);
bind($server, sockaddr_in(7, INADDR_ANY)) or die "bind: $!";
listen($server, 64) or die "listen: $!";
print "lab: node is up\n";
while (1) {
    accept(my $socket, $server) or next;
    my $handler = fork();
    if ($handler == 0) {
        close($server);
        my $kind = readFully($socket, 1);
        my @strings = map { readString($socket) } 1 .. unpack('N', readFully($socket, 4));
        my %action = (R => \&run, S => \&start, U => \&join_sockets);
        $action{$kind}->($socket, @strings);
        close($socket);
        POSIX::_exit(0);
    }
    close($socket);
}
