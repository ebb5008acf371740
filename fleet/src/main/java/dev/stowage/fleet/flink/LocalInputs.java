package dev.stowage.fleet.flink;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Pattern;
import org.apache.flink.core.fs.FileSystem;

/** The inputs of items as files of this host. */
final class LocalInputs {

  private static final Pattern REMOTE = Pattern.compile("(?!file:)[a-z][a-z0-9+.-]+://.*");

  private final Path workingFolder;

  /**
   * Creates the inputs.
   *
   * @param workingFolder the folder of relative inputs
   */
  LocalInputs(String workingFolder) {
    this.workingFolder = Path.of(workingFolder);
  }

  /** Runs an item on its input, which is copied to this host if it is on another file system. */
  ItemWorker.Answer run(String item, ItemWorker worker) throws IOException, InterruptedException {
    String input = JsonLine.text(item, "input");
    if (REMOTE.matcher(input).matches()) {
      return runCopy(item, new org.apache.flink.core.fs.Path(input), worker);
    }
    Path local =
        workingFolder.resolve(
            input.startsWith("file:") ? input.substring("file://".length()) : input);
    if (Files.notExists(local)) {
      return worker.missing(
          item,
          local
              + " does not exist on the host "
              + HostName.get()
              + ", where the item ran; all task managers need the file under the same path");
    }
    return worker.run(item, local);
  }

  private static ItemWorker.Answer runCopy(
      String item, org.apache.flink.core.fs.Path remote, ItemWorker worker)
      throws IOException, InterruptedException {
    Path folder = Files.createTempDirectory("stowage-input");
    Path local = folder.resolve(remote.getName());
    try {
      try (InputStream in = open(remote)) {
        Files.copy(in, local, StandardCopyOption.REPLACE_EXISTING);
      } catch (IOException e) {
        return worker.missing(
            item, remote + " cannot be read on the host " + HostName.get() + ": " + e.getMessage());
      }
      return worker.run(item, local);
    } finally {
      Files.deleteIfExists(local);
      Files.deleteIfExists(folder);
    }
  }

  private static InputStream open(org.apache.flink.core.fs.Path remote) throws IOException {
    FileSystem files = remote.getFileSystem();
    return files.open(remote);
  }
}
