package dev.stowage.fleet.flink;

import dev.stowage.fleet.item.WorkItem;
import dev.stowage.fleet.result.Failed;
import dev.stowage.fleet.result.ItemResult;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The inputs of items as files of this machine. */
final class LocalInputs {

  /** Exit code of a command whose input cannot be read. */
  private static final int UNREADABLE = 3;

  private final Path workingFolder;
  private final boolean isEmbedded;

  /**
   * Creates the inputs.
   *
   * @param workingFolder the folder of relative inputs
   * @param isEmbedded true if this is the machine of the client, which has found the inputs
   */
  LocalInputs(String workingFolder, boolean isEmbedded) {
    this.workingFolder = Path.of(workingFolder);
    this.isEmbedded = isEmbedded;
  }

  /**
   * {@return the result of an item, whose input is copied from another file system if necessary}
   */
  ItemResult run(WorkItem item, ItemWorker worker) throws IOException, InterruptedException {
    boolean isFileUri = item.input().startsWith("file://");
    if (FlinkFiles.hasScheme(item.input()) && !isFileUri) {
      return runCopy(item, worker);
    }
    Path file =
        isFileUri
            ? Path.of(URI.create(item.input()).getPath())
            : workingFolder.resolve(item.input());
    if (!isEmbedded && Files.notExists(file)) {
      return failed(
          item,
          item.input()
              + ": there is no file "
              + file
              + " on the machine "
              + HostName.get()
              + "; all task managers need the inputs under the paths that the client uses");
    }
    return worker.run(item, file);
  }

  private static ItemResult runCopy(WorkItem item, ItemWorker worker)
      throws IOException, InterruptedException {
    org.apache.flink.core.fs.Path remote = new org.apache.flink.core.fs.Path(item.input());
    Path folder = Files.createTempDirectory("stowage-input");
    // The worker chooses a reader by the end of the name.
    Path copy = folder.resolve(remote.getName());
    try {
      try (InputStream in = remote.getFileSystem().open(remote)) {
        Files.copy(in, copy);
      } catch (IOException e) {
        return failed(
            item,
            item.input()
                + ": cannot be read on the machine "
                + HostName.get()
                + ": "
                + e.getMessage());
      }
      return worker.run(item, copy);
    } finally {
      Files.deleteIfExists(copy);
      Files.deleteIfExists(folder);
    }
  }

  private static ItemResult failed(WorkItem item, String error) {
    return new Failed(item.id(), UNREADABLE, error, List.of(), false);
  }
}
