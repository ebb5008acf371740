/** Rules for the shapes of operators, whose dimensions are expressions of open dimensions. */
package dev.stowage.onnx.symbolic;
