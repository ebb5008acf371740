package dev.stowage.site;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jsoup.nodes.Entities;

/** The page of all commands: their help texts, as {@code --help-all} prints them. */
final class Commands {

  private static final Pattern COMMAND = Pattern.compile("(?m)^ {2}([a-z][a-z-]+) ");

  private final Map<String, String> helps = new LinkedHashMap<>();

  /**
   * {@return the names of the commands}
   *
   * @param help the help text of the program
   */
  static List<String> names(String help) {
    int start = help.indexOf("Commands:\n");
    int end = help.indexOf("\n\n", start);
    if (start < 0 || end < 0) {
      throw new IllegalArgumentException("the help text has no list of commands:\n" + help);
    }
    List<String> names = new ArrayList<>();
    Matcher matcher = COMMAND.matcher(help.substring(start, end));
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  /** Adds a command with its help text; the program itself is the command "". */
  void add(String name, String help) {
    helps.put(("stowage " + name).strip(), help);
  }

  /** {@return the content of the page} */
  String html() {
    StringBuilder page = new StringBuilder("<h1 id=\"commands\">Commands</h1>\n");
    page.append("<p>The texts are those that each command prints with <code>--help-all</code>.</p>\n");
    helps.forEach((command, help) ->
        page.append("<h2 id=\"" + anchor(command) + "\">" + command + "</h2>\n")
            .append("<pre tabindex=\"0\"><code>" + Entities.escape(help) + "</code></pre>\n"));
    return page.toString();
  }

  /** {@return a section for each command} */
  List<Markdown.Section> sections() {
    List<Markdown.Section> sections = new ArrayList<>();
    helps.forEach((command, help) ->
        sections.add(
            new Markdown.Section(2, command, anchor(command), help.replaceAll("\\s+", " "))));
    return sections;
  }

  private static String anchor(String command) {
    return command.replace(' ', '-');
  }
}
