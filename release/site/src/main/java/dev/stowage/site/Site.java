package dev.stowage.site;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.jsoup.nodes.Entities;
import org.jsoup.parser.Parser;
import tools.jackson.databind.json.JsonMapper;

/**
 * Builds the site: the project's Markdown files, the Javadoc of its artifacts and pages that the
 * command writes, as static HTML that works without a server and offline.
 */
public final class Site {

  private final Path root;
  private final Path output;
  private final String version;
  private final SiteMap map = SiteMap.ofProject();
  private final List<Map<String, String>> searched = new ArrayList<>();

  /** The artifacts with Javadoc, and their descriptions. */
  private final Map<String, String> artifacts = new TreeMap<>();

  private Site(Path root, Path output, String version) {
    this.root = root;
    this.output = output;
    this.version = version;
  }

  /**
   * Builds the site, and fails if a link has no target.
   *
   * @param args the root of the project, whose jars are built; the folder of the site; the version
   * @throws IOException if a file cannot be read or written
   * @throws InterruptedException if the thread is interrupted
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Path output = Path.of(args[1]);
    Site site = new Site(Path.of(args[0]), output, args[2]);
    site.checkGuides();
    deleteAll(output);
    Files.createDirectories(output);
    site.writeAssets();
    site.writeJavadoc();
    site.writeExamples();
    site.writeCommands();
    for (SiteMap.Entry entry : site.map.pages()) {
      site.writePage(entry);
    }
    site.writeSearch();
    LinkCheck.Result links = LinkCheck.of(output);
    if (!links.broken().isEmpty()) {
      throw new IllegalStateException(
          String.format(
              Locale.ROOT,
              "%d of %d links are broken:%n%s",
              links.broken().size(),
              links.linkCount(),
              String.join(System.lineSeparator(), links.broken())));
    }
    System.out.printf(
        Locale.ROOT,
        "%s: %d pages, %d links%n",
        output,
        site.map.pages().size(),
        links.linkCount());
  }

  /** Rejects a guide that is not in the menu. */
  private void checkGuides() throws IOException {
    List<String> known = map.pages().stream().map(SiteMap.Entry::source).toList();
    try (Stream<Path> files = Files.walk(root.resolve("docs"))) {
      for (Path file : files.filter(path -> path.toString().endsWith(".md")).toList()) {
        String source = root.relativize(file).toString();
        if (!known.contains(source)) {
          throw new IllegalStateException(
              String.format(
                  Locale.ROOT, "the file %s is not in the menu: add it to SiteMap", source));
        }
      }
    }
  }

  // Pages.

  private void writePage(SiteMap.Entry entry) throws IOException {
    Path source = root.resolve(entry.source());
    Markdown.Converted page =
        new Markdown().convert(Files.readString(source), link -> link(entry.source(), link));
    String path = SiteMap.path(entry.source());
    for (Markdown.Section section : page.sections()) {
      search(entry.title(), section.heading(), target(path, section.anchor()), section.text());
    }
    write(path, entry.title(), page.html(), page.sections());
  }

  /** Adds a section to the search. */
  private void search(String page, String heading, String href, String text) {
    Map<String, String> record = new LinkedHashMap<>();
    record.put("page", page);
    record.put("heading", heading);
    record.put("href", href);
    record.put("text", text);
    searched.add(record);
  }

  private static String target(String path, String anchor) {
    return anchor.isEmpty() ? path : path + "#" + anchor;
  }

  /** Writes a page with the menu. */
  private void write(String path, String title, String content, List<Markdown.Section> sections)
      throws IOException {
    String toRoot = "../".repeat((int) path.chars().filter(c -> c == '/').count());
    String page =
        resource("page.html")
            .replace("@title@", escaped(title))
            .replace("@root@", toRoot)
            .replace("@version@", escaped(version))
            .replace("@menu@", menu(path, toRoot, sections))
            .replace("@content@", content);
    Path target = output.resolve(path);
    Files.createDirectories(target.getParent());
    Files.writeString(target, page);
  }

  private String menu(String path, String toRoot, List<Markdown.Section> sections) {
    StringBuilder menu = new StringBuilder();
    for (SiteMap.Group group : map.groups()) {
      menu.append("<h2>").append(escaped(group.title())).append("</h2>\n<ul>\n");
      for (SiteMap.Entry entry : group.pages()) {
        append(menu, path, toRoot, sections, SiteMap.path(entry.source()), entry.title());
      }
      if (group.title().equals("Reference")) {
        append(menu, path, toRoot, sections, "commands.html", "Commands");
        append(menu, path, toRoot, sections, "javadoc/index.html", "Javadoc");
      }
      if (group.title().equals("Explain")) {
        append(menu, path, toRoot, sections, "examples/pages.html", "Example pages");
      }
      menu.append("</ul>\n");
    }
    return menu.toString();
  }

  private static void append(
      StringBuilder menu,
      String path,
      String toRoot,
      List<Markdown.Section> sections,
      String target,
      String title) {
    boolean current = target.equals(path);
    menu.append(
        String.format(
            Locale.ROOT,
            "<li><a href=\"%s%s\"%s>%s</a>",
            toRoot,
            target,
            current ? " aria-current=\"page\"" : "",
            escaped(title)));
    List<Markdown.Section> parts = sections.stream().filter(part -> part.level() == 2).toList();
    if (current && !parts.isEmpty()) {
      menu.append("\n<ul>\n");
      for (Markdown.Section part : parts) {
        menu.append(
            String.format(
                Locale.ROOT,
                "<li><a href=\"#%s\">%s</a></li>%n",
                part.anchor(),
                escaped(part.heading())));
      }
      menu.append("</ul>\n");
    }
    menu.append("</li>\n");
  }

  /** {@return the link of a Markdown file on the site; files outside the site are copied to it} */
  private String link(String source, String link) {
    if (link.startsWith("#") || link.matches("[a-z]+:.*")) {
      return link;
    }
    int hash = link.indexOf('#');
    String file = hash < 0 ? link : link.substring(0, hash);
    String anchor = hash < 0 ? "" : link.substring(hash);
    Path folder = Path.of(source).resolveSibling("x").getParent();
    Path target = (folder == null ? Path.of(file) : folder.resolve(file)).normalize();
    boolean isPage =
        map.pages().stream().anyMatch(entry -> entry.source().equals(target.toString()));
    if (Files.isDirectory(root.resolve(target))) {
      writeFolder(target);
      return file.replaceFirst("/$", "") + "/index.html";
    }
    if (!isPage) {
      copy(target);
      return link;
    }
    Path from = Path.of(SiteMap.path(source)).resolveSibling("x").getParent();
    Path to = Path.of(SiteMap.path(target.toString()));
    return (from == null ? to : from.relativize(to)) + anchor;
  }

  /** Copies the files of a folder and writes a page that lists them. */
  private void writeFolder(Path folder) {
    Path source = root.resolve(folder);
    StringBuilder list = new StringBuilder("<h1>" + escaped(folder.toString()) + "</h1>\n<ul>\n");
    try (Stream<Path> files = Files.walk(source)) {
      for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
        String name = source.relativize(file).toString();
        if (!name.startsWith("target/")) {
          copy(root.relativize(file));
          list.append("<li><a href=\"" + name + "\">" + escaped(name) + "</a></li>\n");
        }
      }
      write(
          folder.resolve("index.html").toString(), folder.toString(), list + "</ul>\n", List.of());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void copy(Path file) {
    Path source = root.resolve(file);
    try {
      if (Files.isRegularFile(source)) {
        Path target = output.resolve(file);
        Files.createDirectories(target.getParent());
        Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // Javadoc.

  private void writeJavadoc() throws IOException {
    try (Stream<Path> folders = Files.walk(root, 2)) {
      for (Path folder : folders.sorted().toList()) {
        Path target = folder.resolve("target");
        if (Files.isDirectory(target)) {
          try (Stream<Path> jars = Files.list(target)) {
            for (Path jar : jars.filter(f -> f.toString().endsWith("-javadoc.jar")).toList()) {
              unpack(jar, folder);
            }
          }
        }
      }
    }
    StringBuilder list = new StringBuilder("<h1>Javadoc</h1>\n<ul>\n");
    artifacts.forEach((name, description) ->
        list.append(
            String.format(
                Locale.ROOT,
                "<li><a href=\"%s/index.html\"><code>stowage-%s</code></a>: %s</li>%n",
                name,
                name,
                escaped(description))));
    write("javadoc/index.html", "Javadoc", list.append("</ul>\n").toString(), List.of());
    for (String name : artifacts.keySet()) {
      searchJavadoc(name);
    }
  }

  /** Adds the types and members of an artifact to the search, if they are an API. */
  private void searchJavadoc(String name) throws IOException {
    if (List.of("cli", "console", "pages").contains(name)) {
      return;
    }
    for (JavadocSections.Section section :
        JavadocSections.of(output.resolve("javadoc").resolve(name))) {
      String path = "javadoc/" + name + "/" + section.page();
      search("Javadoc", section.name(), target(path, section.anchor()), section.text());
    }
  }

  private void unpack(Path jar, Path module) throws IOException {
    String name = module.getFileName().toString();
    String pom = Files.readString(module.resolve("pom.xml"));
    artifacts.put(name, pom.replaceFirst("(?s).*?<description>(.*?)</description>.*", "$1"));
    Path target = output.resolve("javadoc").resolve(name);
    try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(jar))) {
      for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
        Path file = target.resolve(entry.getName()).normalize();
        if (!entry.isDirectory() && file.startsWith(target)) {
          Files.createDirectories(file.getParent());
          Files.copy(zip, file);
        }
      }
    }
  }

  // Pages that the command writes.

  private void writeExamples() throws IOException, InterruptedException {
    String[][] pages = {
      {"plan-deeplab.html", "The plan of DeepLab v3", "plan", "examples/deeplab_v3.tflite"},
      {"plan-puzzle.html", "A full arena of 170 pieces", "plan", "examples/puzzle.csv"},
      {"shapes-attention.html", "One layout for 512 shapes", "plan", "examples/attention.json"},
      {"replay-training.html", "The allocations of a training", "replay", "examples/training.csv"},
      {
        "replay-attention.html",
        "A memory snapshot of PyTorch",
        "replay",
        "examples/attention.pickle"
      }
    };
    StringBuilder list =
        new StringBuilder(
            "<h1>Example pages</h1>\n<p>The command writes these pages with the option <code>--output</code>.</p>\n<ul>\n");
    Files.createDirectories(output.resolve("examples/pages"));
    for (String[] page : pages) {
      Path target = output.resolve("examples/pages").resolve(page[0]);
      run(page[2], page[3], "--output", target.toString());
      list.append(
          String.format(
              Locale.ROOT,
              "<li><a href=\"pages/%s\">%s</a>: <code>stowage %s %s --output %s</code></li>%n",
              page[0],
              escaped(page[1]),
              page[2],
              page[3],
              page[0]));
    }
    write("examples/pages.html", "Example pages", list.append("</ul>\n").toString(), List.of());
  }

  private void writeCommands() throws IOException, InterruptedException {
    Commands commands = new Commands();
    String help = run("--help-all");
    commands.add("", help);
    for (String name : Commands.names(help)) {
      commands.add(name, run(name, "--help-all"));
    }
    for (Markdown.Section section : commands.sections()) {
      search(
          "Commands", section.heading(), target("commands.html", section.anchor()), section.text());
    }
    write("commands.html", "Commands", commands.html(), commands.sections());
  }

  /** {@return the output of the command} */
  private String run(String... arguments) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "@" + root.resolve("tools/cli/jvm.options"),
                "--module-path",
                root.resolve("tools/cli/target/modules").toString(),
                "-m",
                "dev.stowage.cli/dev.stowage.cli.Stowage"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .directory(root.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int exitCode = process.waitFor();
    if (exitCode != 0) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "the command failed with %d: %s", exitCode, command));
    }
    return out;
  }

  // Assets and the search.

  private void writeAssets() throws IOException {
    for (String name : List.of("site.css", "site.js")) {
      Files.writeString(output.resolve(name), resource(name));
    }
    String lunr = "/META-INF/resources/webjars/lunr/2.3.9/lunr.min.js";
    try (var in = Site.class.getResourceAsStream(lunr)) {
      if (in == null) {
        throw new IllegalStateException("the WebJar of lunr has no file " + lunr);
      }
      Files.copy(in, output.resolve("lunr.min.js"));
    }
  }

  /** Writes the sections as a script, since a page that is opened as a file may not fetch data. */
  private void writeSearch() throws IOException {
    String json = new JsonMapper().writeValueAsString(searched);
    Files.writeString(output.resolve("search.js"), "const sections = " + json + ";\n");
  }

  private static String resource(String name) throws IOException {
    try (var in = Site.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("there is no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String escaped(String text) {
    return Entities.escape(Parser.unescapeEntities(text, false));
  }

  private static void deleteAll(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }
}
