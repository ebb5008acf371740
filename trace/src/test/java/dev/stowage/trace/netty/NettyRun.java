package dev.stowage.trace.netty;

import io.netty.buffer.ByteBuf;
import io.netty.util.concurrent.EventExecutor;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The direct memory of a run of {@link NettyProgram}, by Netty's metric.
 *
 * @param peakBytes the most bytes after any allocation
 * @param endBytes the bytes at the end
 */
record NettyRun(long peakBytes, long endBytes) {

  /**
   * Runs a workload in a virtual machine of its own.
   *
   * @param settings the arguments that select the allocator
   * @param arguments the arguments of the program
   */
  static NettyRun of(String settings, List<String> arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx1g");
    command.add("-XX:+UseSerialGC");
    if (!settings.isEmpty()) {
      command.addAll(List.of(settings.split(" ", -1)));
    }
    command.add("-cp");
    command.add(
        String.join(
            File.pathSeparator,
            place(NettyProgram.class),
            place(ByteBuf.class),
            place(EventExecutor.class)));
    command.add(NettyProgram.class.getName());
    command.addAll(arguments);
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(String.join(" ", command) + "\n" + output);
      }
      String[] numbers = output.lines().toList().getLast().split(" ", -1);
      return new NettyRun(Long.parseLong(numbers[0]), Long.parseLong(numbers[1]));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** {@return the folder or archive of a class} */
  private static String place(Class<?> type) {
    String name = "/" + type.getName().replace('.', '/') + ".class";
    URL url = type.getResource(name);
    String text = url.toString();
    String root = text.substring(0, text.length() - name.length());
    try {
      String uri = root.startsWith("jar:") ? root.substring(4, root.length() - 1) : root;
      return Path.of(new URI(uri)).toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(text, e);
    }
  }
}
