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
 * The file into which a session of the engine writes its profile.
 *
 * <p>The engine opens the file when it creates the session and fills it when the profile ends. This
 * class deletes the file's name and its folder as soon as the engine has opened it, and reads it
 * through a channel of its own. A process that is killed therefore leaves nothing behind, even by a
 * signal that it cannot handle. Where the system does not delete open files, they are deleted by
 * {@link #close()}.
 */
final class ProfileFile implements AutoCloseable {

  private static final long POLL_MILLIS = 1;

  private final Path folder;
  private final CountDownLatch closed = new CountDownLatch(1);
  private @Nullable FileChannel channel;

  private ProfileFile(Path folder) {
    this.folder = folder;
  }

  /** {@return a file that a session is about to open; watched by a thread until it does} */
  static ProfileFile create() throws IOException {
    ProfileFile profile = unwatched();
    Thread.ofPlatform().daemon().name("stowage-profile").start(profile::watch);
    return profile;
  }

  static ProfileFile unwatched() throws IOException {
    return new ProfileFile(Files.createTempDirectory("stowage-profile"));
  }

  /** {@return the start of the file's path, to which the engine adds the time} */
  Path prefix() {
    return folder.resolve("run");
  }

  private void watch() {
    try {
      while (!isTaken() && !closed.await(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
        take();
      }
    } catch (InterruptedException e) {
      // The file is taken when the session is there.
    }
  }

  private synchronized boolean isTaken() {
    return channel != null;
  }

  /** Opens the file, if it is there, and deletes its name and its folder. */
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
      // This system keeps names of open files: close() deletes what is left.
    }
  }

  /**
   * {@return the most bytes that the engine's arena had in use for operators; empty if the profile
   * does not say}
   *
   * @throws IOException if the profile is not complete
   */
  synchronized OptionalLong peakBytes() throws IOException {
    take();
    if (channel == null) {
      throw new IOException("the engine wrote no profile");
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
