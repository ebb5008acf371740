package dev.stowage.cli.rewrite;

import dev.stowage.cli.output.WholeFile;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.pages.text.Text;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Copies of the other files of a model, for a copy of the model in another folder.
 *
 * <p>A file that exists there with the same content is kept. Closing deletes the copies unless the
 * copy of the model is complete.
 */
final class DataFiles implements Closeable {

  private final List<Path> copied = new ArrayList<>();
  private final List<Path> folders = new ArrayList<>();
  private boolean isKept;

  /** A file to copy, and the folders of its copy, the outermost first. */
  private record DataFile(Path source, Path target, List<Path> folders) {}

  private final List<DataFile> missing = new ArrayList<>();

  private DataFiles() {}

  /**
   * {@return the files that a copy of a model needs in its folder}
   *
   * @param files the files, relative to the folder of the model
   * @throws InputRefusedException if the copy would replace one of the files, if a file with other
   *     content exists in its place, or if the copy is a link to another folder
   */
  static DataFiles of(List<Path> files, Path model, Path output)
      throws IOException, InputRefusedException {
    DataFiles data = new DataFiles();
    for (Path file : files) {
      Path source = model.toAbsolutePath().resolveSibling(file);
      Path target = output.toAbsolutePath().resolveSibling(file).normalize();
      if (target.equals(output.toAbsolutePath().normalize()) || isSame(source, output)) {
        throw new InputRefusedException(
            Text.of(
                "--output is '%s', which contains the model's weights; use another name", output));
      }
      if (Files.isSymbolicLink(output)) {
        throw new InputRefusedException(
            Text.of(
                "--output is '%s', which is a link, and the model has weights in other files; use the name of the file itself",
                output));
      }
      if (!Files.exists(target)) {
        data.missing.add(new DataFile(source, target, folders(file, output)));
      } else if (!isSame(source, target)
          && (!Files.isRegularFile(target) || Files.mismatch(source, target) >= 0)) {
        throw new InputRefusedException(
            Text.of(
                "the copy needs the model's weights in '%s', but another file has this name; move it, or use another folder",
                target));
      }
    }
    return data;
  }

  private static List<Path> folders(Path file, Path output) {
    return IntStream.range(1, file.getNameCount())
        .mapToObj(count -> output.toAbsolutePath().resolveSibling(file.subpath(0, count)))
        .toList();
  }

  private static boolean isSame(Path file, Path other) throws IOException {
    return Files.exists(other) && Files.isSameFile(file, other);
  }

  /** {@return the files to copy} */
  List<Path> targets() {
    return missing.stream().map(DataFile::target).toList();
  }

  /** Copies the files, each as a whole. */
  void copy() throws IOException {
    for (DataFile file : missing) {
      createFolders(file.folders);
      try (WholeFile.Part part = new WholeFile(file.target.toString()).begin()) {
        Files.copy(file.source, part.path());
        part.complete();
        copied.add(file.target);
      }
    }
  }

  private void createFolders(List<Path> needed) throws IOException {
    for (Path folder : needed) {
      if (Files.notExists(folder)) {
        Files.createDirectory(folder);
        folders.add(folder);
      }
    }
  }

  /** Keeps the copies. */
  void keep() {
    isKept = true;
  }

  @Override
  public void close() throws IOException {
    if (!isKept) {
      for (Path file : copied) {
        Files.deleteIfExists(file);
      }
      for (Path folder : folders.reversed()) {
        Files.deleteIfExists(folder);
      }
    }
  }
}
