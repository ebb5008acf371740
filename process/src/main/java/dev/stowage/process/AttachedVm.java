package dev.stowage.process;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** A connection to a Java virtual machine on this computer, for diagnostic commands. */
final class AttachedVm {

  /*
   * The attach API sends SIGQUIT to any process that handles this signal. A virtual machine then
   * listens to a socket, but a program in Go ends, and a web server stops. So this class looks for
   * the library of the virtual machine first. A virtual machine that listens already gets no
   * signal.
   *
   * The API cannot run diagnostic commands, so this class sends them: the version of the protocol,
   * the operation and three arguments, each followed by a zero byte. The answer is a line with a
   * number, 0 for success, and the output.
   *
   * The process may be hostile or may not answer. No step has a time limit of its own: callers use
   * a LimitedCall; its interrupt closes the connection.
   */

  /** The time limit of commands that usually take milliseconds. */
  static final Duration ANSWER_LIMIT = Duration.ofSeconds(10);

  /** The time limit of commands that take longer in a larger process. */
  static final Duration WORK_LIMIT = Duration.ofMinutes(5);

  private static final int MOST_ANSWER_BYTES = 256 << 20;

  /** The bits of a file's mode with its type, and their value for a socket. */
  private static final int FILE_TYPE = 0170000;

  private static final int SOCKET = 0140000;

  private final Path socket;

  /** The user ID of the process. */
  private final Object owner;

  private AttachedVm(Path socket, Object owner) {
    this.socket = socket;
    this.owner = owner;
  }

  /**
   * {@return a connection; empty if the process is no Java virtual machine, is stopped, or does not
   * accept connections}
   *
   * @param pid the process
   * @param status its status
   */
  static Optional<AttachedVm> of(long pid, ProcessStatus status) {
    long numberInside = status.numberInside();
    try {
      // A stopped process does not answer.
      if (status.isStopped() || !hasVm(pid)) {
        return Optional.empty();
      }
      Path folder = Path.of("/proc/" + pid);
      Path inside = folder.resolve("root/tmp/.java_pid" + numberInside);
      if (!exists(inside)) {
        VirtualMachine.attach(Long.toString(pid)).detach();
      }
      Path socket = exists(inside) ? inside : Path.of("/tmp/.java_pid" + numberInside);
      return Optional.of(new AttachedVm(socket, Files.getAttribute(folder, "unix:uid")));
    } catch (AttachNotSupportedException | IOException e) {
      return Optional.empty();
    }
  }

  private static boolean exists(Path socket) {
    return Files.exists(socket, LinkOption.NOFOLLOW_LINKS);
  }

  /** {@return true if a process has loaded a virtual machine} */
  private static boolean hasVm(long pid) throws IOException {
    byte[] mappings = Files.readAllBytes(Path.of("/proc/" + pid + "/maps"));
    return new String(mappings, StandardCharsets.ISO_8859_1).contains("/libjvm.so");
  }

  /** {@return the output of a diagnostic command; empty if the virtual machine does not know it} */
  Optional<String> output(String command) throws IOException {
    check();
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      ByteBuffer request = StandardCharsets.UTF_8.encode("1\0jcmd\0" + command + "\0\0\0");
      while (request.hasRemaining()) {
        channel.write(request);
      }
      String text = answer(channel);
      int end = text.indexOf('\n');
      return end > 0 && text.substring(0, end).equals("0")
          ? Optional.of(text.substring(end + 1))
          : Optional.empty();
    }
  }

  /** Checks the socket: a hostile process can replace it with a link to the socket of a program. */
  private void check() throws IOException {
    Map<String, Object> found =
        Files.readAttributes(socket, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    if (!owner.equals(found.get("uid"))
        || !(found.get("mode") instanceof Integer mode)
        || (mode & FILE_TYPE) != SOCKET) {
      throw new IOException(
          "'"
              + socket
              + "' is not a socket of the user of the process: remove it, and repeat the command");
    }
  }

  private static String answer(SocketChannel channel) throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    ByteBuffer part = ByteBuffer.allocate(1 << 16);
    while (channel.read(part) >= 0) {
      answer.write(part.array(), 0, part.position());
      part.clear();
      if (answer.size() > MOST_ANSWER_BYTES) {
        throw new IOException(
            "the virtual machine answers with more than " + MOST_ANSWER_BYTES + " bytes");
      }
    }
    return answer.toString(StandardCharsets.UTF_8);
  }
}
