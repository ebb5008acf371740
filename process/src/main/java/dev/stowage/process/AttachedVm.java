package dev.stowage.process;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A connection to a Java virtual machine on this computer, for diagnostic commands. */
final class AttachedVm {

  /*
   * The attach API sends SIGQUIT to any process that handles this signal, which makes a virtual machine
   * listen to a socket, but ends programs in Go and stops web servers. So this class looks for the
   * library of the virtual machine first.
   *
   * The API has no call for diagnostic commands, so that they are sent here: the version of the
   * protocol, the operation and three arguments, each with a zero byte behind it. The answer is a line
   * with a number, 0 for success, and the output. The process may be hostile or may not answer.
   */

  private static final int MOST_ANSWER_BYTES = 256 << 20;
  private static final long MOST_SILENCE_MILLIS = 10_000;

  /** The bits of a mode that tell the type of a file, and those of a socket. */
  private static final int FILE_TYPE = 0170000;

  private static final int SOCKET = 0140000;

  private final Path socket;

  /** The number of the user of the process. */
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
      VirtualMachine.attach(Long.toString(pid)).detach();
      Path folder = Path.of("/proc/" + pid);
      Path inside = folder.resolve("root/tmp/.java_pid" + numberInside);
      Path socket =
          Files.exists(inside, LinkOption.NOFOLLOW_LINKS)
              ? inside
              : Path.of("/tmp/.java_pid" + numberInside);
      return Optional.of(new AttachedVm(socket, Files.getAttribute(folder, "unix:uid")));
    } catch (AttachNotSupportedException | IOException e) {
      return Optional.empty();
    }
  }

  /** {@return true if a process has loaded a virtual machine} */
  private static boolean hasVm(long pid) throws IOException {
    byte[] mappings = Files.readAllBytes(Path.of("/proc/" + pid + "/maps"));
    return new String(mappings, StandardCharsets.ISO_8859_1).contains("/libjvm.so");
  }

  /**
   * {@return the output of a diagnostic command; empty if the virtual machine does not know it}
   *
   * @throws IOException if the virtual machine is silent for 10 seconds
   */
  Optional<String> output(String command) throws IOException {
    return output(command, MOST_SILENCE_MILLIS);
  }

  /** {@return the output of a diagnostic command that may take any time} */
  Optional<String> longOutput(String command) throws IOException {
    return output(command, 0);
  }

  private Optional<String> output(String command, long mostSilenceMillis) throws IOException {
    check();
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        Selector selector = Selector.open()) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      ByteBuffer request = StandardCharsets.UTF_8.encode("1\0jcmd\0" + command + "\0\0\0");
      while (request.hasRemaining()) {
        channel.write(request);
      }
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ);
      String text = answer(channel, selector, mostSilenceMillis);
      int end = text.indexOf('\n');
      return end > 0 && text.substring(0, end).equals("0")
          ? Optional.of(text.substring(end + 1))
          : Optional.empty();
    }
  }

  /** A hostile process can replace its socket with a link to that of another program. */
  private void check() throws IOException {
    Map<String, Object> found =
        Files.readAttributes(socket, "unix:uid,mode", LinkOption.NOFOLLOW_LINKS);
    if (!owner.equals(found.get("uid"))
        || !(found.get("mode") instanceof Integer mode)
        || (mode & FILE_TYPE) != SOCKET) {
      throw new IOException("the file of the virtual machine is not its socket: " + socket);
    }
  }

  private static String answer(SocketChannel channel, Selector selector, long mostSilenceMillis)
      throws IOException {
    ByteArrayOutputStream answer = new ByteArrayOutputStream();
    ByteBuffer part = ByteBuffer.allocate(1 << 16);
    while (true) {
      if (selector.select(mostSilenceMillis) == 0) {
        throw new IOException(
            "the virtual machine does not answer; expected one that reaches a safepoint");
      }
      selector.selectedKeys().clear();
      if (channel.read(part) < 0) {
        return answer.toString(StandardCharsets.UTF_8);
      }
      answer.write(part.array(), 0, part.position());
      part.clear();
      if (answer.size() > MOST_ANSWER_BYTES) {
        throw new IOException(
            "the virtual machine answers with more than " + MOST_ANSWER_BYTES + " bytes");
      }
    }
  }
}
