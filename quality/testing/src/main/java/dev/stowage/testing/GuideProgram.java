package dev.stowage.testing;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/**
 * The Java examples of a guide as one program, which is compiled and run as printed.
 *
 * <p>The examples are statements. An example can use the variables of the examples before the first
 * section and of its own section, but no variables of other sections. An example may import types
 * of Stowage only if they are public. A block of the language {@code text} is the output of the
 * statements since the last such block.
 */
public final class GuideProgram {

  private static final Path ROOT = Path.of(System.getProperty("stowage.root", ".."));
  private static final Path PUBLIC_TYPES =
      Path.of("quality/house/src/test/resources/public-types.txt");
  private static final Pattern BLOCK = Pattern.compile("```(java|text)\n(.*?)```", Pattern.DOTALL);
  private static final Pattern SECTION_START = Pattern.compile("(?m)^(?=## )");
  private static final Pattern IMPORT = Pattern.compile("(?m)^import (?:static )?([\\w.]+);\n");
  private static final String END = "\0";

  private final Path guide;
  private final List<String> sections;
  private final Set<Integer> used = new TreeSet<>(Set.of(0));

  private GuideProgram(Path guide, List<String> sections) {
    this.guide = guide;
    this.sections = sections;
  }

  /**
   * {@return the program of a guide}
   *
   * @param guide the path of the guide in the project
   * @param headings the headings of its sections, such as {@code ## Netty}
   * @throws IllegalArgumentException if the guide has no such section
   */
  public static GuideProgram of(String guide, String... headings) throws IOException {
    Path file = ROOT.resolve(guide);
    List<String> sections = List.of(SECTION_START.split(Files.readString(file), -1));
    GuideProgram program = new GuideProgram(file, sections);
    List<String> lines = sections.stream().map(section -> section.split("\n", 2)[0]).toList();
    for (String heading : headings) {
      if (!lines.contains(heading)) {
        throw new IllegalArgumentException(guide + " has no section '" + heading + "'");
      }
      program.used.add(lines.indexOf(heading));
    }
    return program;
  }

  /** {@return the text of the guide} */
  public String text() throws IOException {
    return Files.readString(guide);
  }

  /**
   * Compiles and runs the program. With {@code -Dgolden.update=true}, its outputs go to the guide.
   *
   * @param folder for the source and the classes
   * @param replaced texts of the examples, each followed by the text to use instead
   * @return the text of the guide with the outputs of the program
   * @throws IllegalStateException if the examples cannot be compiled or use a type of Stowage that
   *     is not public, or one of them throws an exception
   */
  public String run(Path folder, String... replaced) throws Exception {
    String source = source(replaced);
    compile(Files.writeString(folder.resolve("Guide.java"), source), folder);
    String text = withOutputs(printed(folder, source));
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(guide, text);
    }
    return text;
  }

  private String source(String... replaced) throws IOException {
    Set<String> imports = new TreeSet<>();
    StringBuilder statements = new StringBuilder();
    for (int section : used) {
      statements.append(section == 0 ? "" : "{\n");
      for (MatchResult block : BLOCK.matcher(sections.get(section)).results().toList()) {
        if (block.group(1).equals("text")) {
          statements.append("PRINTED.append(\"\\0\");\n");
        } else {
          Matcher lines = IMPORT.matcher(block.group(2));
          lines.results().forEach(line -> imports.add(line.group(1)));
          statements.append(lines.replaceAll(""));
        }
      }
      statements.append(section == 0 ? "" : "}\n");
    }
    checkPublic(imports);
    String body = statements.toString();
    for (int text = 0; text < replaced.length; text += 2) {
      body = body.replace(replaced[text], replaced[text + 1]);
    }
    StringBuilder source = new StringBuilder();
    imports.forEach(imported -> source.append("import ").append(imported).append(";\n"));
    return source
        .append(
            """
            public class Guide {
              public static final StringBuilder PRINTED = new StringBuilder();

              static final class IO {
                static void println(Object text) {
                  PRINTED.append(text).append("\\n");
                }
              }

              public static void main() throws Exception {
            %s}
            }
            """
                .formatted(body))
        .toString();
  }

  private void checkPublic(Set<String> imports) throws IOException {
    String listed = "\n" + Files.readString(ROOT.resolve(PUBLIC_TYPES));
    for (String imported : imports) {
      if (imported.startsWith("dev.stowage.") && !listed.contains("\n" + imported + ": ")) {
        throw new IllegalStateException(guide + " uses " + imported + ", which is not public");
      }
    }
  }

  private static String printed(Path folder, String source) throws Exception {
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {folder.toUri().toURL()}, Thread.currentThread().getContextClassLoader())) {
      Class<?> type = loader.loadClass("Guide");
      type.getMethod("main").invoke(null);
      return type.getField("PRINTED").get(null).toString();
    } catch (InvocationTargetException e) {
      throw new IllegalStateException("an example fails:\n" + source, e.getCause());
    }
  }

  private String withOutputs(String printed) {
    Iterator<String> outputs = List.of(printed.split(END, -1)).iterator();
    StringBuilder text = new StringBuilder();
    for (int section = 0; section < sections.size(); section++) {
      String written = sections.get(section);
      text.append(
          used.contains(section)
              ? BLOCK
                  .matcher(written)
                  .replaceAll(block -> Matcher.quoteReplacement(withOutput(block, outputs)))
              : written);
    }
    return text.toString();
  }

  private static String withOutput(MatchResult block, Iterator<String> outputs) {
    if (!block.group(1).equals("text")) {
      return block.group();
    }
    String output = outputs.next();
    // A guide may break lines elsewhere.
    return unbroken(block.group(2)).equals(unbroken(output))
        ? block.group()
        : "```text\n" + output + "```";
  }

  private static String unbroken(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private static void compile(Path file, Path folder) throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<String> options =
        List.of("-proc:none", "-d", folder.toString(), "-classpath", classPath());
    StringWriter messages = new StringWriter();
    try (var files = compiler.getStandardFileManager(null, null, null)) {
      boolean compiled =
          compiler
              .getTask(messages, files, null, options, null, files.getJavaFileObjects(file))
              .call();
      if (!compiled) {
        throw new IllegalStateException(messages + "\n" + Files.readString(file));
      }
    }
  }

  /** {@return the class path and the module path of the tests} */
  private static String classPath() {
    List<String> paths = new ArrayList<>();
    Stream.of("java.class.path", "surefire.test.class.path", "jdk.module.path")
        .map(property -> System.getProperty(property, ""))
        .flatMap(path -> Arrays.stream(path.split(File.pathSeparator, -1)))
        .filter(path -> !path.isEmpty())
        .forEach(paths::add);
    return String.join(File.pathSeparator, paths);
  }
}
