package dev.stowage.cli.netty;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.stowage.cli.input.MavenArtifact;
import dev.stowage.cli.plan.InputRefusedException;
import dev.stowage.pages.text.Text;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The jars of a version of Netty: {@code netty-buffer} and {@code netty-common}.
 *
 * @param files the jars
 * @param title the version, and the reason for it, such as {@code Netty 4.2.16 (recorded)}
 * @param classes the bytes of the classes of allocators, each as a character
 */
record NettyJars(List<Path> files, String title, String classes) {

  private static final MavenArtifact ARTIFACT =
      new MavenArtifact("Netty", "io.netty", List.of("netty-buffer", "netty-common"));

  private static final Pattern CLASS =
      Pattern.compile("io/netty/buffer/(AllocateChunk|Adaptive|Pooled|ByteBufUtil)\\w*\\.class");

  private static final Pattern JAR =
      Pattern.compile("netty-(?:buffer|all)-(\\d[\\w.-]*?)(?:\\.Final)?\\.jar");

  /**
   * {@return the jars for a recording}
   *
   * @param choice a version or the paths of jars; empty if the user names none
   * @param recorded the version that the recording names
   * @throws InputRefusedException if they are missing, or if the version has no events of chunks
   */
  static NettyJars of(Optional<String> choice, Optional<String> recorded) {
    try {
      NettyJars jars =
          choice.isPresent()
              ? named(chosen(choice.get()), "--engine")
              : recorded.isPresent()
                  ? named(chosen(recorded.get()), "recorded")
                  : named(ofDownload(), "of Stowage; the recording does not name one");
      if (!jars.contain("io.netty.AllocateChunk")) {
        throw new IOException(
            jars.title
                + " has no events of chunks, expected Netty 4.2.4 or newer: --engine selects a"
                + " version");
      }
      return jars;
    } catch (IOException e) {
      throw new InputRefusedException(String.valueOf(e.getMessage()));
    }
  }

  private static List<Path> chosen(String choice) throws IOException {
    if (MavenArtifact.isVersion(choice)) {
      return ARTIFACT.jars(choice.matches("[\\d.]+") ? choice + ".Final" : choice);
    }
    List<Path> files = Stream.of(choice.split(File.pathSeparator, -1)).map(Path::of).toList();
    for (Path file : files) {
      if (!Files.isRegularFile(file)) {
        throw new IOException("--engine: there is no file " + file);
      }
    }
    return files;
  }

  /** {@return the jars of Stowage, in a folder beside its own} */
  private static List<Path> ofDownload() throws IOException {
    Path own = own();
    for (Path folder :
        List.of(own.resolveSibling("netty"), own.resolve("../../netty").normalize())) {
      if (Files.isDirectory(folder)) {
        try (Stream<Path> files = Files.list(folder)) {
          return files.sorted().toList();
        }
      }
    }
    throw new IOException(
        "the recording does not name a version of Netty, and this installation has none: --engine"
            + " selects a version");
  }

  private static NettyJars named(List<Path> files, String reason) throws IOException {
    Matcher version = JAR.matcher(files.toString());
    StringBuilder classes = new StringBuilder();
    for (Path file : files) {
      try (ZipFile jar = new ZipFile(file.toFile())) {
        for (ZipEntry entry : Collections.list(jar.entries())) {
          if (CLASS.matcher(entry.getName()).matches()) {
            classes.append(new String(jar.getInputStream(entry).readAllBytes(), ISO_8859_1));
          }
        }
      }
    }
    return new NettyJars(
        files,
        Text.of("Netty%s (%s)", version.find() ? " " + version.group(1) : "", reason),
        classes.toString());
  }

  /** {@return the jar or folder of the classes of this module} */
  static Path own() {
    URL location = NettyJars.class.getProtectionDomain().getCodeSource().getLocation();
    return Path.of(URI.create(location.toString()));
  }

  /** {@return true if a class of the allocators has a text, such as the name of a property} */
  boolean contain(String text) {
    return classes.contains(text);
  }
}
