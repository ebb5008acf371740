package dev.stowage.pages;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names that a script declares and uses.
 *
 * <p>A scanner without the scopes of a script: each name that a script declares is known in all of
 * it. So it finds the names that only another script could declare.
 */
final class ScriptNames {

  /** A comment, or a part of a script; the groups are a name, a text without places, a regex. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "/\\*[\\s\\S]*?\\*/|//[^\\n]*"
              + "|(?<name>[A-Za-z_$][\\w$]*)"
              + "|(?<literal>\"(?:[^\"\\\\\\n]|\\\\.)*\"|'(?:[^'\\\\\\n]|\\\\.)*'"
              + "|0[xb][\\da-fA-F]+n?|\\d[\\d_]*n?(?:\\.\\d+)?(?:[eE][+-]?\\d+)?)"
              + "|(?<sign>=>|\\.\\.\\.|\\?\\.(?!\\d)|[^\\s\\w$])");

  private static final Pattern REGEX =
      Pattern.compile("/(?:[^/\\\\\\n\\[]|\\\\.|\\[(?:[^\\]\\\\\\n]|\\\\.)*\\])+/[a-z]*");

  private static final Set<String> KEYWORDS =
      Set.of(
          ("async await break case catch class const continue default delete do else export extends"
                  + " false finally for function if in instanceof let new null of return static super"
                  + " switch this throw true try typeof undefined var void while yield arguments")
              .split(" "));

  private final List<String> tokens = new ArrayList<>();
  private final Set<String> topLevel = new TreeSet<>();
  private final Set<String> declared = new TreeSet<>();
  private final Set<String> used = new TreeSet<>();

  ScriptNames(String script) {
    tokenize(script, 0, false);
    declare();
    use();
  }

  /** {@return the names that other scripts of the same page can use} */
  Set<String> topLevel() {
    return topLevel;
  }

  /** {@return the names that the script uses and does not declare} */
  Set<String> undeclared() {
    Set<String> names = new TreeSet<>(used);
    names.removeAll(declared);
    return names;
  }

  /**
   * Reads the tokens from a place on and {@return the place after them}
   *
   * @param isPlace true to stop at the end of a place of a template
   */
  private int tokenize(String script, int from, boolean isPlace) {
    Matcher token = TOKEN.matcher(script);
    int at = from;
    int depth = 0;
    while (token.find(at)) {
      at = token.end();
      String sign = token.group("sign");
      if (token.group("name") != null) {
        tokens.add(token.group("name"));
      } else if (token.group("literal") != null) {
        tokens.add("0");
      } else if ("`".equals(sign)) {
        at = template(script, at);
      } else if ("/".equals(sign) && isRegexExpected()) {
        Matcher regex = REGEX.matcher(script).region(token.start(), script.length());
        if (!regex.lookingAt()) {
          throw new IllegalArgumentException("no regular expression: " + script.substring(at - 1));
        }
        at = regex.end();
        tokens.add("0");
      } else if (sign != null) {
        depth += sign.equals("{") ? 1 : sign.equals("}") ? -1 : 0;
        if (isPlace && depth < 0) {
          return at;
        }
        tokens.add(sign);
      }
    }
    return at;
  }

  /** Reads a template, whose places become terms in brackets. */
  private int template(String script, int from) {
    int at = from;
    tokens.add("(");
    tokens.add("0");
    while (script.charAt(at) != '`') {
      if (script.charAt(at) == '\\') {
        at += 2;
      } else if (script.startsWith("${", at)) {
        tokens.add("+");
        tokens.add("(");
        at = tokenize(script, at + 2, true);
        tokens.add(")");
      } else {
        at++;
      }
    }
    tokens.add(")");
    return at + 1;
  }

  private boolean isRegexExpected() {
    if (tokens.isEmpty()) {
      return true;
    }
    String last = tokens.getLast();
    return last.equals("return") || (!isName(last) && !last.equals("0") && !")]".contains(last));
  }

  private static boolean isName(String token) {
    return Character.isJavaIdentifierStart(token.charAt(0));
  }

  private String token(int index) {
    return index >= 0 && index < tokens.size() ? tokens.get(index) : "";
  }

  /** Finds the declarations: of variables, functions and parameters. */
  private void declare() {
    Deque<Integer> brackets = new ArrayDeque<>();
    int[] openings = new int[tokens.size()];
    for (int i = 0; i < tokens.size(); i++) {
      String token = tokens.get(i);
      if ("([{".contains(token)) {
        brackets.push(i);
      } else if (")]}".contains(token)) {
        openings[i] = brackets.pop();
      } else if (token.equals("=>")) {
        // One parameter, or several in brackets.
        addAll(token(i - 1).equals(")") ? openings[i - 1] : i - 1, i);
      } else if (Set.of("const", "let", "var", "class").contains(token)) {
        declareAll(i + 1, brackets.isEmpty());
      } else if (token.equals("function") || token.equals("catch")) {
        addAll(i + 1, endOfParameters(i + 1));
        if (brackets.isEmpty() && isName(token(i + 1))) {
          topLevel.add(token(i + 1));
        }
      }
    }
    if (!brackets.isEmpty()) {
      throw new IllegalArgumentException("brackets stay open: " + brackets.size());
    }
  }

  /** Adds the names of a declaration, whose commas separate patterns with their values. */
  private void declareAll(int from, boolean isTopLevel) {
    int depth = 0;
    boolean isPattern = true;
    for (int at = from;
        depth >= 0 && at < tokens.size() && !(depth == 0 && token(at).equals(";")); ) {
      int next = isPattern ? endOfPattern(at) : at + 1;
      if (isPattern) {
        addAll(at, next);
        if (isTopLevel) {
          tokens.subList(at, next).stream().filter(ScriptNames::isName).forEach(topLevel::add);
        }
      } else {
        depth += "([{".contains(token(at)) ? 1 : ")]}".contains(token(at)) ? -1 : 0;
      }
      isPattern = !isPattern && depth == 0 && token(at).equals(",");
      at = next;
    }
  }

  private void addAll(int from, int to) {
    tokens.subList(from, to).stream().filter(ScriptNames::isName).forEach(declared::add);
  }

  /** {@return the end of a name, or of a pattern in brackets} */
  private int endOfPattern(int from) {
    int depth = 0;
    int at = from;
    do {
      depth += "([{".contains(token(at)) ? 1 : ")]}".contains(token(at)) ? -1 : 0;
      at++;
    } while (depth > 0);
    return at;
  }

  private int endOfParameters(int from) {
    int open = isName(token(from)) ? from + 1 : from;
    return token(open).equals("(") ? endOfPattern(open) : open;
  }

  /** Finds the names that are neither properties nor keys. */
  private void use() {
    for (int i = 0; i < tokens.size(); i++) {
      String token = tokens.get(i);
      boolean isProperty = token(i - 1).equals(".") || token(i - 1).equals("?.");
      boolean isKey = token(i + 1).equals(":") && Set.of("{", ",").contains(token(i - 1));
      boolean isMethod =
          token(i + 1).equals("(")
              && Set.of("{", "}", ",", "get", "set", "async").contains(token(i - 1))
              && token(endOfPattern(i + 1)).equals("{");
      if (isName(token) && !KEYWORDS.contains(token) && !isProperty && !isKey && !isMethod) {
        used.add(token);
      }
    }
  }
}
