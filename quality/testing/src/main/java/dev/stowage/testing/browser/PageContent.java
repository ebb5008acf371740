package dev.stowage.testing.browser;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Base64;
import java.util.Map;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The data of a page, whose columns are arrays. */
public final class PageContent {

  private PageContent() {}

  /** {@return the data of a page} */
  public static JsonNode of(String page) {
    return decoded(JsonMapper.shared().readTree(text(page)));
  }

  /** {@return the data as it is in the page} */
  public static String text(String page) {
    String start = "<script type=\"application/json\" id=\"data\">";
    int from = page.indexOf(start) + start.length();
    return page.substring(from, page.indexOf("</script>", from));
  }

  private static JsonNode decoded(JsonNode node) {
    if (node instanceof ObjectNode object) {
      if (object.has("column")) {
        return column(object);
      }
      ObjectNode all = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> property : object.properties()) {
        all.set(property.getKey(), decoded(property.getValue()));
      }
      return all;
    }
    if (node instanceof ArrayNode array) {
      ArrayNode all = JsonNodeFactory.instance.arrayNode();
      array.forEach(element -> all.add(decoded(element)));
      return all;
    }
    return node;
  }

  private static JsonNode column(ObjectNode column) {
    byte[] bytes = inflated(Base64.getDecoder().decode(column.get("data").asString()));
    if (column.get("column").asString().equals("texts")) {
      return JsonMapper.shared().readTree(new String(bytes, UTF_8));
    }
    ArrayNode numbers = JsonNodeFactory.instance.arrayNode();
    long value = 0;
    int at = 0;
    for (int i = 0; i < column.get("count").asInt(); i++) {
      long zigzag = 0;
      int shift = 0;
      while (bytes[at] < 0) {
        zigzag |= (bytes[at++] & 127L) << shift;
        shift += 7;
      }
      zigzag |= (long) bytes[at++] << shift;
      value += zigzag >>> 1 ^ -(zigzag & 1);
      numbers.add(value);
    }
    return numbers;
  }

  private static byte[] inflated(byte[] packed) {
    try (InputStream in =
        new InflaterInputStream(new ByteArrayInputStream(packed), new Inflater(true))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
