package dev.stowage.cli.budget;

import dev.stowage.cli.input.MavenArtifact;
import dev.stowage.plan.MalformedFileException;
import java.io.IOException;
import java.lang.module.FindException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The ONNX Runtime of a service.
 *
 * @param jar the jar of ONNX Runtime; empty for the jar that Stowage is built with
 */
public record EngineJar(Optional<Path> jar) {

  private static final String MODULE = "com.microsoft.onnxruntime";

  private static final MavenArtifact ARTIFACT =
      new MavenArtifact("ONNX Runtime", MODULE, List.of("onnxruntime"));

  /** The version in the name of a jar. */
  private static final Pattern JAR = Pattern.compile("onnxruntime\\w*-(\\d[\\w.-]*)\\.jar$");

  /**
   * {@return an engine}
   *
   * @param choice a version in the local Maven repository, or the path of a jar; empty for the jar
   *     that Stowage is built with
   * @throws IOException if there is no such jar; the message has a command that fetches it
   * @throws MalformedFileException if the jar is not ONNX Runtime
   */
  public static EngineJar of(Optional<String> choice) throws IOException {
    if (choice.isEmpty()) {
      return new EngineJar(Optional.empty());
    }
    String name = choice.get();
    Path jar = MavenArtifact.isVersion(name) ? ARTIFACT.jars(name).getFirst() : Path.of(name);
    if (!Files.isRegularFile(jar)) {
      throw new NoSuchFileException(name);
    }
    // With another jar, the child would run Stowage's own engine.
    if (engine(jar).isEmpty()) {
      throw new MalformedFileException(
          name,
          "is not ONNX Runtime, expected a jar with the module "
              + MODULE
              + ", or a version such as --engine 1.23.2");
    }
    return new EngineJar(Optional.of(jar));
  }

  /** {@return the name and the version of the engine} */
  public String title() {
    Optional<String> version =
        jar.isPresent()
            ? JAR.matcher(jar.get().toString()).results().map(name -> name.group(1)).findFirst()
            : own().flatMap(ModuleDescriptor::rawVersion);
    return "ONNX Runtime" + version.map(text -> " " + text).orElse("");
  }

  /** {@return true if there is an engine: a given one, or Stowage's own} */
  boolean exists() {
    return jar.isPresent() || own().isPresent();
  }

  /** {@return the module path of a process with this engine} */
  String modulePath() {
    String path = System.getProperty("jdk.module.path", "");
    // The first module of a name on the path counts.
    return jar.map(file -> file.toAbsolutePath() + System.getProperty("path.separator") + path)
        .orElse(path);
  }

  /** {@return the option of the JVM for the unpacked library of Stowage's own engine} */
  List<String> libraryOptions() {
    String folder = "onnxruntime.native.path";
    return jar.isPresent() || System.getProperty(folder) == null
        ? List.of()
        : List.of("-D" + folder + "=" + System.getProperty(folder));
  }

  private static Optional<ModuleDescriptor> own() {
    String path = System.getProperty("jdk.module.path", "");
    return engine(
        Arrays.stream(path.split(System.getProperty("path.separator"), -1))
            .map(Path::of)
            .toArray(Path[]::new));
  }

  /** {@return the module of ONNX Runtime on a module path; empty if there is none} */
  private static Optional<ModuleDescriptor> engine(Path... path) {
    try {
      return ModuleFinder.of(path).find(MODULE).map(ModuleReference::descriptor);
    } catch (FindException e) {
      return Optional.empty(); // a file that is no jar
    }
  }
}
