package dev.stowage.litert;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.FindException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The library of TensorFlow Lite in the artifact {@code org.bytedeco:tensorflow-lite}, on the class
 * path or the module path.
 *
 * <p>The module of the artifact requires JavaCPP and is not resolved, so that a module finder reads
 * it.
 */
final class LiteLibrary {

  private static final String FILE = "libjnitensorflowlite.so";
  private static final String RESOURCE = "org/bytedeco/tensorflowlite/linux-x86_64/" + FILE;
  private static final String MODULE = "org.bytedeco.tensorflowlite.linux.x86_64";
  private static final String PLATFORM = "Linux amd64";

  private LiteLibrary() {}

  /**
   * Copies the library into a folder and {@return the copy}
   *
   * @throws MissingLibraryException if the platform has no library, or if the artifact is missing
   * @throws IOException if the copy cannot be written
   */
  static Path copyTo(LiteFolder folder) throws IOException {
    checkPlatform(System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    Path copy = folder.file(FILE);
    URL resource = ClassLoader.getSystemResource(RESOURCE);
    if (resource != null) {
      try (InputStream in = resource.openStream()) {
        Files.copy(in, copy);
      }
      return copy;
    }
    ModuleReference module = module().orElseThrow(MissingLibraryException::artifact);
    try (ModuleReader reader = module.open();
        InputStream in = reader.open(RESOURCE).orElseThrow(MissingLibraryException::artifact)) {
      Files.copy(in, copy);
    }
    return copy;
  }

  static void checkPlatform(String platform) {
    if (!platform.equals(PLATFORM)) {
      throw MissingLibraryException.platform(PLATFORM, platform);
    }
  }

  private static Optional<ModuleReference> module() {
    Path[] path =
        Stream.of(System.getProperty("jdk.module.path", "").split(File.pathSeparator, -1))
            .filter(entry -> !entry.isEmpty())
            .map(Path::of)
            .toArray(Path[]::new);
    try {
      return ModuleFinder.of(path).find(MODULE);
    } catch (FindException e) {
      return Optional.empty(); // another jar of the path is damaged
    }
  }
}
