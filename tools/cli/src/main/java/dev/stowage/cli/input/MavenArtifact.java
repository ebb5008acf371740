package dev.stowage.cli.input;

import dev.stowage.pages.text.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An artifact that users may have in their local Maven repository. Nothing is downloaded.
 *
 * @param title the name in sentences
 * @param group the group, such as {@code io.netty}
 * @param names the names of the jars, which all have the same version; the first one depends on the
 *     others
 */
public record MavenArtifact(String title, String group, List<String> names) {

  private static final Pattern VERSION = Pattern.compile("\\d+\\.\\d+[\\w.-]*");

  /** {@return true if a text is a version, and not the name of a file} */
  public static boolean isVersion(String text) {
    return VERSION.matcher(text).matches() && !text.endsWith(".jar");
  }

  /**
   * {@return the jars of a version}
   *
   * @throws IOException if one is missing; the message has the line that fetches them
   */
  public List<Path> jars(String version) throws IOException {
    List<Path> jars = names.stream().map(name -> jar(name, version)).toList();
    for (Path jar : jars) {
      if (!Files.isRegularFile(jar)) {
        throw new IOException(
            Text.of(
                "%s %s is not in the local Maven repository (%s); fetch it with ./mvnw dependency:get -Dartifact=%s:%s:%s%s",
                title,
                version,
                jar,
                group,
                names.getFirst(),
                version,
                names.size() == 1 ? " -Dtransitive=false" : ""));
      }
    }
    return jars;
  }

  private Path jar(String name, String version) {
    return Path.of(System.getProperty("user.home"), ".m2", "repository")
        .resolve(group.replace('.', '/'))
        .resolve(name)
        .resolve(version)
        .resolve(name + "-" + version + ".jar");
  }
}
