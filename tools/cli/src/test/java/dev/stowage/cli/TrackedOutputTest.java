package dev.stowage.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrackedOutputTest {

  @TempDir private Path folder;

  @Test
  void writeCount_failedWrite_isNotCounted() throws Exception {
    TrackedOutput output =
        new TrackedOutput(
            new OutputStream() {

              @Override
              public void write(int b) throws IOException {
                if (b == 'x') {
                  throw new IOException("no reader");
                }
              }
            });

    output.write('a');
    output.write(new byte[] {'b', 'c'});
    assertThatThrownBy(() -> output.write('x')).isInstanceOf(IOException.class);

    assertThat(output.writeCount()).isEqualTo(2);
    assertThat(output.failure()).contains("no reader");
  }

  @Test
  void isPipe_pipesAndSockets_areNotFilesAndDevices() throws Exception {
    Path pipe = folder.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path socket = folder.resolve("socket");
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(socket));
      assertThat(TrackedOutput.isPipe(socket)).isTrue();
    }
    assertThat(TrackedOutput.isPipe(pipe)).isTrue();
    assertThat(TrackedOutput.isPipe(Path.of("/dev/null"))).isFalse();
    assertThat(TrackedOutput.isPipe(Files.createFile(folder.resolve("file")))).isFalse();
    assertThat(TrackedOutput.isPipe(folder.resolve("none"))).isFalse();
  }
}
