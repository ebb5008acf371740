package dev.stowage.process;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The socket of a virtual machine, on which a program behaves badly. */
final class HostileSocket {

  private static final Path PATH = Path.of("/tmp/.java_pid" + ProcessHandle.current().pid());

  private static final List<SocketChannel> CONNECTIONS = new ArrayList<>();

  private HostileSocket() {}

  /** Opens the socket and serves it in another thread. */
  static void open(String behaviour) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(PATH), 1);
    if (behaviour.equals("deaf")) {
      // The queue of connections is full, so that more of them block.
      for (int i = 0; i < 2; i++) {
        CONNECTIONS.add(SocketChannel.open(UnixDomainSocketAddress.of(PATH)));
      }
      return;
    }
    Thread thread = new Thread(() -> serve(server, behaviour));
    thread.setDaemon(true);
    thread.start();
  }

  private static void serve(ServerSocketChannel server, String behaviour) {
    while (true) {
      try {
        SocketChannel connection = server.accept();
        CONNECTIONS.add(connection);
        switch (behaviour) {
          case "slow" -> {
            while (true) {
              connection.write(text("0"));
              Thread.sleep(1);
            }
          }
          case "busy" -> answer(connection);
          default -> {} // mute
        }
      } catch (IOException | InterruptedException e) {
        // The other side has given up.
      }
    }
  }

  /** Answers the questions, and no request for a collection. */
  private static void answer(SocketChannel connection) throws IOException {
    ByteBuffer request = ByteBuffer.allocate(1 << 10);
    connection.read(request);
    String command = new String(request.array(), 0, request.position(), StandardCharsets.UTF_8);
    if (!command.contains("GC.run")) {
      connection.write(text("0\n" + (command.contains("VM.flags") ? "-XX:+UseG1GC\n" : "")));
      connection.close();
    }
  }

  private static ByteBuffer text(String text) {
    return StandardCharsets.UTF_8.encode(text);
  }
}
