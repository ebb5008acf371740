package dev.stowage.fleet.worker;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The Java that runs workers: the first one that is new enough. */
final class JavaProgram {

  /** The release that Stowage needs. */
  private static final int RELEASE = 25;

  private static final String SETTING = "STOWAGE_JAVA_HOME";

  private JavaProgram() {}

  /**
   * {@return the path of the program {@code java}}
   *
   * @param settings may name a Java, which is then the only candidate
   * @param environment the environment variables
   * @param runningHome the folder of the running Java
   * @throws WorkerStartException if no Java is new enough; the message lists the candidates
   */
  static Path find(WorkerSettings settings, Map<String, String> environment, String runningHome)
      throws WorkerStartException {
    if (settings.java().isPresent()) {
      Path named = Path.of(settings.java().get());
      Path home = Files.isDirectory(named) ? named : homeOf(named);
      return check("--worker-java", home, new ArrayList<>())
          .orElseThrow(
              () -> new WorkerStartException(failure(List.of(describe("--worker-java", home)))));
    }
    List<String> rejected = new ArrayList<>();
    Optional<Path> found = check(SETTING, path(environment.get(SETTING)), rejected);
    if (found.isEmpty()) {
      found = check("the running Java", Path.of(runningHome), rejected);
    }
    if (found.isEmpty()) {
      found = check("JAVA_HOME", path(environment.get("JAVA_HOME")), rejected);
    }
    return found.orElseThrow(() -> new WorkerStartException(failure(rejected)));
  }

  private static Path path(@Nullable String text) {
    return Path.of(text == null ? "" : text);
  }

  /** {@return the folder of a Java from the path of its program} */
  private static Path homeOf(Path program) {
    Path real;
    try {
      real = program.toRealPath();
    } catch (IOException e) {
      return program;
    }
    Path bin = real.getParent();
    Path home = bin == null ? null : bin.getParent();
    return home == null ? program : home;
  }

  private static Optional<Path> check(String source, Path home, List<String> rejected) {
    if (home.toString().isEmpty()) {
      rejected.add(source + " is not set");
      return Optional.empty();
    }
    OptionalInt release = release(home);
    if (release.isPresent() && release.getAsInt() >= RELEASE) {
      return Optional.of(home.resolve("bin").resolve("java"));
    }
    rejected.add(describe(source, home));
    return Optional.empty();
  }

  private static String describe(String source, Path home) {
    OptionalInt release = release(home);
    return release.isPresent()
        ? source + " is Java " + release.getAsInt() + " (" + home + ")"
        : source + " is no folder of a Java (" + home + ")";
  }

  private static String failure(List<String> rejected) {
    return "workers need Java "
        + RELEASE
        + " or newer, but "
        + String.join(", ", rejected)
        + "; install it, and name it with --worker-java PATH or the environment variable "
        + SETTING;
  }

  /** {@return the feature release of a Java, from its file {@code release}} */
  private static OptionalInt release(Path home) {
    if (!Files.isExecutable(home.resolve("bin").resolve("java"))) {
      return OptionalInt.empty();
    }
    Properties properties = new Properties();
    try (InputStream in = Files.newInputStream(home.resolve("release"))) {
      properties.load(in);
    } catch (IOException | IllegalArgumentException e) {
      return OptionalInt.empty();
    }
    String version = properties.getProperty("JAVA_VERSION", "").replace("\"", "");
    String feature = version.startsWith("1.") ? version.substring(2) : version;
    String digits = feature.replaceAll("[^0-9].*", "");
    return digits.isEmpty() || digits.length() > 4
        ? OptionalInt.empty()
        : OptionalInt.of(Integer.parseInt(digits));
  }
}
