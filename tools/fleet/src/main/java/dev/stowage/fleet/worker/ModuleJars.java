package dev.stowage.fleet.worker;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The jars of Stowage's modules in the jar of this class, as files of this machine.
 *
 * <p>The processes of a machine share one folder, whose name depends on the content of the jars.
 */
public final class ModuleJars {

  /** The folder in the jar. */
  private static final String FOLDER = "modules/";

  private final Path jar;
  private final Path temporary;

  ModuleJars(Path jar, Path temporary) {
    this.jar = jar;
    this.temporary = temporary;
  }

  /** {@return the jars in the jar of this class, for the folder of temporary files} */
  public static ModuleJars ofThisJar() {
    try {
      return new ModuleJars(
          Path.of(ModuleJars.class.getProtectionDomain().getCodeSource().getLocation().toURI()),
          Path.of(System.getProperty("java.io.tmpdir")));
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * {@return the folder with the jars, which are unpacked if they are missing}
   *
   * @throws WorkerStartException if the jar has no modules, or they cannot be written
   */
  public Path unpack() throws WorkerStartException {
    if (!Files.isRegularFile(jar)) {
      throw new WorkerStartException(
          jar + " is no jar with modules of Stowage: run stowage-fleet.jar");
    }
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> modules =
          zip.stream()
              .filter(entry -> entry.getName().startsWith(FOLDER) && !entry.isDirectory())
              .sorted(Comparator.comparing(ZipEntry::getName))
              .toList();
      if (modules.isEmpty()) {
        throw new WorkerStartException(
            jar + " contains no modules of Stowage: run stowage-fleet.jar");
      }
      return unpack(zip, modules);
    } catch (WorkerStartException e) {
      throw e;
    } catch (IOException e) {
      throw new WorkerStartException(
          "the modules of Stowage cannot be unpacked to " + temporary + ": " + e);
    }
  }

  private Path unpack(ZipFile zip, List<? extends ZipEntry> modules) throws IOException {
    // Only this user may write to the new folder, which the shared one therefore can become.
    Path fresh = Files.createTempDirectory(temporary, "stowage-modules");
    Path shared = temporary.resolve(name(modules));
    if (isComplete(shared, modules, fresh)) {
      Files.delete(fresh);
      return shared;
    }
    for (ZipEntry module : modules) {
      try (InputStream in = zip.getInputStream(module)) {
        Files.copy(in, fresh.resolve(fileName(module)));
      }
    }
    try {
      return Files.move(fresh, shared, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      // Another process was faster, or the folder is not complete or that of another user.
      return fresh;
    }
  }

  private static String name(List<? extends ZipEntry> modules) {
    CRC32 content = new CRC32();
    for (ZipEntry module : modules) {
      String line = module.getName() + ' ' + module.getSize() + ' ' + module.getCrc() + '\n';
      content.update(line.getBytes(StandardCharsets.UTF_8));
    }
    return String.format(Locale.ROOT, "stowage-modules-%08x", content.getValue());
  }

  /** {@return true if a folder has all jars, and the same owner as another folder} */
  private static boolean isComplete(Path folder, List<? extends ZipEntry> modules, Path ownFolder)
      throws IOException {
    if (!Files.isDirectory(folder) || !Files.getOwner(folder).equals(Files.getOwner(ownFolder))) {
      return false;
    }
    for (ZipEntry module : modules) {
      Path file = folder.resolve(fileName(module));
      if (!Files.isRegularFile(file) || Files.size(file) != module.getSize()) {
        return false;
      }
    }
    return true;
  }

  private static String fileName(ZipEntry module) {
    return module.getName().substring(FOLDER.length());
  }
}
