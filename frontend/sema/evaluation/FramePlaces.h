// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The places, slices and references of a function that a constant calls. Functions that return
// nothing have reported an error.
#pragma once

#include "frontend/sema/evaluation/Evaluator.h"

namespace spl::sema {

/// Whether the expression is a place in the frame.
bool isPlaceIn(const Frame &frame, const Expr &expr);
std::optional<FramePlace> placeOf(Evaluator &evaluator, Frame &frame, const Expr &expr);
/// What a slice or a reference refers to. `key` is the local of `into` that holds a value that is
/// no place; without one such a value is an error.
std::optional<FrameView> viewOf(Evaluator &evaluator, Frame &frame, const Expr &expr,
                                Frame *into = nullptr, const Local *key = nullptr);
/// Gives a local of `into` its value, or what it refers to, as seen from `frame`. Returns false
/// after an error.
bool enter(Evaluator &evaluator, Frame *frame, Frame &into, const Local &local, const Expr &value);

} // namespace spl::sema
