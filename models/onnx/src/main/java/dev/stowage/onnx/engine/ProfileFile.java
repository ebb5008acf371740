package dev.stowage.onnx.engine;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The file of the profile of a session of ONNX Runtime.
 *
 * <p>ONNX Runtime opens the file when it creates the session and writes it when the profile ends.
 * This class unlinks the file and its folder as soon as ONNX Runtime has opened the file, and reads
 * it through its own channel. A killed process therefore leaves no file behind. If the system does
 * not unlink open files, {@link #close()} deletes them.
 */
final class ProfileFile implements AutoCloseable {

  private static final long POLL_MILLIS = 1;

  private final Path folder;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable FileChannel channel;

  private ProfileFile(Path folder) {
    this.folder = folder;
  }

  /** {@return a file for a new session; a thread waits until the session has opened it} */
  static ProfileFile create() throws IOException {
    ProfileFile profile = unwatched();
    Thread.ofPlatform().daemon().name("stowage-profile").start(profile::watch);
    return profile;
  }

  static ProfileFile unwatched() throws IOException {
    return new ProfileFile(Files.createTempDirectory("stowage-profile"));
  }

  /** {@return the prefix of the path; ONNX Runtime appends the time to it} */
  Path prefix() {
    return folder.resolve("run");
  }

  private void watch() {
    try {
      while (!isTaken() && !closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        take();
      }
    } catch (InterruptedException e) {
      // The file is opened when the session exists.
    }
  }

  private synchronized boolean isTaken() {
    return channel != null;
  }

  /** Opens the file, if it exists, and unlinks it and its folder. */
  synchronized void take() {
    if (channel != null || closed.getCount() == 0) {
      return;
    }
    try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
      for (Path file : files) {
        channel =
            FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
        Files.delete(folder);
        return;
      }
    } catch (IOException e) {
      // This system does not unlink open files; close() deletes them.
    }
  }

  /**
   * {@return the peak of the bytes that operators used in ONNX Runtime's arena; empty if the
   * profile lacks it}
   *
   * @throws IOException if the profile is incomplete
   */
  synchronized OptionalLong peakBytes() throws IOException {
    take();
    if (channel == null) {
      throw new IOException("ONNX Runtime wrote no profile");
    }
    return EngineProfile.peakBytes(channel.position(0));
  }

  @Override
  public synchronized void close() {
    closed.countDown();
    try {
      if (channel != null) {
        channel.close();
      }
      if (Files.exists(folder)) {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
          for (Path file : files) {
            Files.delete(file);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException e) {
      // A temporary file that cannot be deleted changes no result.
    }
  }
}
