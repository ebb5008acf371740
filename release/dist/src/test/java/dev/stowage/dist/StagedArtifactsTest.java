package dev.stowage.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/**
 * The staged artifacts against the rules of Maven Central for files and metadata, except
 * signatures.
 */
final class StagedArtifactsTest {

  private static final Path GROUP =
      Path.of(System.getProperty("stowage.root"), "target/stage/dev/stowage");
  private static final Pattern PROPERTY = Pattern.compile("\\$\\{([^}]+)}");

  /** A staged artifact: its files by their extension, with the classifier: "-sources.jar". */
  record Staged(String artifactId, Map<String, Path> files, Element pom) {

    boolean isJar() {
      return !text(pom, "packaging").equals("pom");
    }

    Path file(String extension) {
      return Optional.ofNullable(files.get(extension)).orElseThrow();
    }

    @Override
    public String toString() {
      return artifactId;
    }
  }

  static List<Staged> artifacts() throws Exception {
    try (Stream<Path> folders = Files.list(GROUP)) {
      return folders
          .filter(Files::isDirectory)
          .sorted()
          .map(StagedArtifactsTest::artifact)
          .toList();
    }
  }

  static List<Staged> jars() throws Exception {
    return artifacts().stream().filter(Staged::isJar).toList();
  }

  private static Staged artifact(Path folder) {
    String artifactId = folder.getFileName().toString();
    // A snapshot has a time stamp in place of "SNAPSHOT".
    Pattern name =
        Pattern.compile(Pattern.quote(artifactId) + "-[0-9.]+(-[0-9.]+-[0-9]+)?([-.][a-z].*)");
    Map<String, Path> files = new HashMap<>();
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        Matcher matcher = name.matcher(file.getFileName().toString());
        if (matcher.matches()) {
          files.put(matcher.group(2), file);
        }
      }
      Path pom = Optional.ofNullable(files.get(".pom")).orElseThrow();
      return new Staged(artifactId, files, parse(pom).getDocumentElement());
    } catch (IOException | ParserConfigurationException | SAXException e) {
      throw new AssertionError("unexpected staged files: artifact=" + artifactId, e);
    }
  }

  private static Document parse(Path file)
      throws IOException, ParserConfigurationException, SAXException {
    return DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file.toFile());
  }

  private static Element parent() throws Exception {
    return artifacts().stream()
        .filter(artifact -> artifact.artifactId().equals("stowage"))
        .findFirst()
        .orElseThrow()
        .pom();
  }

  /** The text of a descendant by the names of its path, or nothing. */
  private static String text(Element element, String... path) {
    Element child = element;
    for (String name : path) {
      Element found = null;
      for (Node node = child.getFirstChild(); node != null; node = node.getNextSibling()) {
        if (node instanceof Element candidate && candidate.getTagName().equals(name)) {
          found = candidate;
          break;
        }
      }
      if (found == null) {
        return "";
      }
      child = found;
    }
    return child.getTextContent().strip();
  }

  @Test
  void stage_ofARelease_hasTheArtifactsOfTheBom() throws Exception {
    Staged bom =
        artifacts().stream()
            .filter(artifact -> artifact.artifactId().equals("stowage-bom"))
            .findFirst()
            .orElseThrow();
    Set<String> managed = new TreeSet<>();
    var names = bom.pom().getElementsByTagName("artifactId");
    for (int i = 0; i < names.getLength(); i++) {
      managed.add(names.item(i).getTextContent().strip());
    }
    managed.removeAll(Set.of("stowage", "stowage-bom"));

    assertThat(jars()).extracting(Staged::artifactId).containsExactlyElementsOf(managed);
  }

  @ParameterizedTest
  @MethodSource("artifacts")
  void pom_ofEachArtifact_hasTheMetadataOfMavenCentral(Staged artifact) throws Exception {
    Element pom = artifact.pom();
    assertThat(text(pom, "name")).startsWith("Stowage");
    assertThat(text(pom, "description")).isNotEmpty();
    for (String[] path :
        List.of(
            new String[] {"url"},
            new String[] {"licenses", "license", "name"},
            new String[] {"licenses", "license", "url"},
            new String[] {"developers", "developer", "name"},
            new String[] {"scm", "connection"},
            new String[] {"scm", "developerConnection"},
            new String[] {"scm", "url"})) {
      String own = text(pom, path);
      assertThat(own.isEmpty() ? text(parent(), path) : own)
          .as(String.join("/", path))
          .isNotEmpty();
    }
  }

  /** Every property of a dependency has a value without a checkout. */
  @ParameterizedTest
  @MethodSource("artifacts")
  void pom_dependencies_haveOnlyPropertiesOfPublishedPoms(Staged artifact) throws Exception {
    Element pom = artifact.pom();
    var dependencies = pom.getElementsByTagName("dependency");
    for (int i = 0; i < dependencies.getLength(); i++) {
      Matcher property = PROPERTY.matcher(dependencies.item(i).getTextContent());
      while (property.find()) {
        String name = property.group(1);
        assertThat(
                name.startsWith("project.")
                    || !text(pom, "properties", name).isEmpty()
                    || !text(parent(), "properties", name).isEmpty())
            .as(name)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("jars")
  void files_ofEachJar_areThereWithChecksums(Staged artifact) throws IOException {
    assertThat(artifact.files())
        .containsKeys(
            ".pom", ".jar", "-sources.jar", "-javadoc.jar", "-cyclonedx.json", "-cyclonedx.xml");
    for (String extension : List.of(".pom", ".jar", "-sources.jar", "-javadoc.jar")) {
      assertThat(artifact.files()).containsKeys(extension + ".sha1", extension + ".md5");
    }
    assertThat(entries(artifact, "-sources.jar")).anyMatch(entry -> entry.endsWith(".java"));
    assertThat(entries(artifact, "-javadoc.jar")).contains("index.html");
    assertThat(entries(artifact, ".jar")).anyMatch(entry -> entry.endsWith(".class"));
  }

  private static Set<String> entries(Staged artifact, String extension) throws IOException {
    try (JarFile jar = new JarFile(artifact.file(extension).toFile())) {
      return jar.stream().map(entry -> entry.getName()).collect(Collectors.toSet());
    }
  }

  private static ModuleDescriptor descriptor(Staged artifact) {
    return ModuleFinder.of(artifact.file(".jar")).findAll().iterator().next().descriptor();
  }

  @ParameterizedTest
  @MethodSource("jars")
  void module_ofEachJar_hasAStableName(Staged artifact) throws IOException {
    Path file = artifact.file(".jar");
    ModuleDescriptor module = ModuleFinder.of(file).findAll().iterator().next().descriptor();

    assertThat(module.name())
        .isEqualTo("dev.stowage." + artifact.artifactId().replaceFirst("^stowage-", ""));
    try (JarFile jar = new JarFile(artifact.file(".jar").toFile())) {
      assertThat(
              !module.isAutomatic()
                  || jar.getManifest()
                      .getMainAttributes()
                      .containsKey(new Attributes.Name("Automatic-Module-Name")))
          .as("a module-info or an Automatic-Module-Name")
          .isTrue();
    }
  }

  /** The check of the API reads no modules, so that the POM names the packages that are no API. */
  @Test
  void apiCheck_excludes_arePackagesThatNoModuleExports() throws Exception {
    Set<String> internal = new TreeSet<>();
    for (Staged artifact : jars()) {
      ModuleDescriptor module = descriptor(artifact);
      if (!module.isAutomatic() && !artifact.artifactId().equals("stowage-cli")) {
        internal.addAll(module.packages());
        module.exports().stream()
            .filter(exports -> !exports.isQualified())
            .forEach(exports -> internal.remove(exports.source()));
      }
    }
    Set<String> excluded = new TreeSet<>();
    var excludes = parent().getElementsByTagName("exclude");
    for (int i = 0; i < excludes.getLength(); i++) {
      String exclude = excludes.item(i).getTextContent().strip();
      // A class, or a member after "#", is an intended change.
      if (exclude.matches("[a-z0-9.]+")) {
        excluded.add(exclude);
      }
    }

    assertThat(excluded).isEqualTo(internal);
  }
}
