package dev.stowage.cli.netty;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import jdk.jfr.Recording;

/**
 * A process that replays the buffers of a recording in the Netty on its class path.
 *
 * <p>The arguments are the file of the operations, and one for a recording of the calls and chunks.
 */
public final class NettyProcess {

  /** The exit code if the replay failed, or if the command ended first. */
  private static final int FAILED = 1;

  private NettyProcess() {}

  /** Replays the operations. */
  public static void main(String[] args) {
    ProcessHandle.current()
        .parent()
        .ifPresent(command -> {
          var _ = command.onExit().thenRun(() -> Runtime.getRuntime().halt(FAILED));
        });
    int exitCode = 0;
    try {
      replay(Path.of(args[0]), Path.of(args[1]));
    } catch (Exception | Error e) {
      System.err.println(e);
      exitCode = FAILED;
    }
    // Threads of the replay do not keep the process alive.
    System.exit(exitCode);
  }

  private static void replay(Path script, Path recorded)
      throws IOException, InterruptedException, ReflectiveOperationException {
    try (FileChannel in = FileChannel.open(script);
        Recording recording = new Recording()) {
      BufferReplay replay = new BufferReplay(in.map(MapMode.READ_ONLY, 0, in.size()).asIntBuffer());
      recording.enable("io.netty.AllocateChunk").withoutStackTrace();
      recording.enable("io.netty.FreeChunk").withoutStackTrace();
      recording.enable(BufferReplay.Call.class);
      recording.start();
      replay.run();
      recording.stop();
      recording.dump(recorded);
    }
  }
}
