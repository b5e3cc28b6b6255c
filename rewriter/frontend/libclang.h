/* libclang.h - libclang's functions, found when the first file is parsed.
 *
 * libclang and LLVM take longer to load than all else that a run does which
 * parses nothing (docs/benchmark.md), and what a process has loaded is copied for
 * its children. Only clang_parts.h and libclang.c include this. */
#ifndef PL_LIBCLANG_H
#define PL_LIBCLANG_H

#include <clang-c/Index.h>

/* All that are called, without their `clang_`. */
#define PL_LIBCLANG(X) \
  X(CXXConstructor_isCopyConstructor) X(CXXConstructor_isMoveConstructor)  \
  X(CXXMethod_isConst) X(CXXMethod_isDefaulted) X(CXXMethod_isVirtual)     \
  X(Cursor_Evaluate) X(Cursor_getArgument) X(Cursor_getNumArguments)       \
  X(Cursor_getNumTemplateArguments) X(Cursor_getOffsetOfField)             \
  X(Cursor_getStorageClass) X(Cursor_getTemplateArgumentKind)              \
  X(Cursor_getTemplateArgumentType) X(Cursor_getTemplateArgumentValue)     \
  X(Cursor_getVarDeclInitializer) X(Cursor_isAnonymous)                    \
  X(Cursor_isBitField) X(Cursor_isNull) X(EvalResult_dispose)              \
  X(EvalResult_getAsLongLong) X(EvalResult_getAsUnsigned)                  \
  X(EvalResult_getKind) X(EvalResult_isUnsignedInt) X(File_isEqual)        \
  X(Location_isInSystemHeader) X(Range_isNull) X(Type_getAlignOf)          \
  X(Type_getSizeOf) X(Type_getTemplateArgumentAsType) X(Type_visitFields)  \
  X(createIndex) X(disposeDiagnostic) X(disposeIndex)                      \
  X(disposeSourceRangeList) X(disposeString) X(disposeTranslationUnit)     \
  X(equalCursors) X(equalLocations) X(equalRanges) X(equalTypes)           \
  X(getArrayElementType) X(getArraySize) X(getCString)                     \
  X(getCXXAccessSpecifier) X(getCanonicalCursor) X(getCanonicalType)       \
  X(getClangVersion)                                                       \
  X(getCursorBinaryOperatorKind) X(getCursorDefinition) X(getCursorExtent) \
  X(getCursorKind) X(getCursorLocation) X(getCursorReferenced)             \
  X(getCursorResultType) X(getCursorSemanticParent) X(getCursorSpelling)   \
  X(getCursorType) X(getCursorUnaryOperatorKind) X(getDiagnostic)          \
  X(getDiagnosticLocation) X(getDiagnosticSeverity)                        \
  X(getDiagnosticSpelling) X(getEnumConstantDeclUnsignedValue)             \
  X(getEnumConstantDeclValue) X(getEnumDeclIntegerType)                    \
  X(getExpansionLocation) X(getFile) X(getFileContents) X(getFileLocation) \
  X(getFileName) X(getInclusions) X(getLocationForOffset)                  \
  X(getNullCursor) X(getNumDiagnostics)                                    \
  X(getNumOverloadedDecls) X(getOverloadedDecl) X(getPointeeType)          \
  X(getRangeEnd) X(getRangeStart) X(getResultType) X(getSkippedRanges)     \
  X(getSpecializedCursorTemplate) X(getSpellingLocation)                   \
  X(getCursorDisplayName) X(getTemplateCursorKind)                                                 \
  X(getTranslationUnitCursor) X(getTypeDeclaration) X(getTypeSpelling)     \
  X(getUnqualifiedType) X(hashCursor) X(isConstQualifiedType)              \
  X(isAttribute) X(isCursorDefinition) X(isDeclaration) X(isExpression)    \
  X(isInvalid) X(isPODType) X(isReference) X(isRestrictQualifiedType)      \
  X(isStatement) X(isTranslationUnit) X(isVolatileQualifiedType)           \
  X(parseTranslationUnit2) X(saveTranslationUnit) X(visitChildren)

typedef struct pl_libclang_functions {
#define X(name) __typeof__(clang_##name) *name;
  PL_LIBCLANG(X)
#undef X
} pl_libclang_functions;

/* Where they are; nothing before pl_libclang_load. */
extern pl_libclang_functions pl_libclang;

#define clang_CXXConstructor_isCopyConstructor pl_libclang.CXXConstructor_isCopyConstructor
#define clang_CXXConstructor_isMoveConstructor pl_libclang.CXXConstructor_isMoveConstructor
#define clang_CXXMethod_isConst pl_libclang.CXXMethod_isConst
#define clang_CXXMethod_isDefaulted pl_libclang.CXXMethod_isDefaulted
#define clang_CXXMethod_isVirtual pl_libclang.CXXMethod_isVirtual
#define clang_Cursor_Evaluate pl_libclang.Cursor_Evaluate
#define clang_Cursor_getArgument pl_libclang.Cursor_getArgument
#define clang_Cursor_getNumArguments pl_libclang.Cursor_getNumArguments
#define clang_Cursor_getNumTemplateArguments pl_libclang.Cursor_getNumTemplateArguments
#define clang_Cursor_getOffsetOfField pl_libclang.Cursor_getOffsetOfField
#define clang_Cursor_getStorageClass pl_libclang.Cursor_getStorageClass
#define clang_Cursor_getTemplateArgumentKind pl_libclang.Cursor_getTemplateArgumentKind
#define clang_Cursor_getTemplateArgumentType pl_libclang.Cursor_getTemplateArgumentType
#define clang_Cursor_getTemplateArgumentValue pl_libclang.Cursor_getTemplateArgumentValue
#define clang_Cursor_getVarDeclInitializer pl_libclang.Cursor_getVarDeclInitializer
#define clang_Cursor_isAnonymous pl_libclang.Cursor_isAnonymous
#define clang_Cursor_isBitField pl_libclang.Cursor_isBitField
#define clang_Cursor_isNull pl_libclang.Cursor_isNull
#define clang_EvalResult_dispose pl_libclang.EvalResult_dispose
#define clang_EvalResult_getAsLongLong pl_libclang.EvalResult_getAsLongLong
#define clang_EvalResult_getAsUnsigned pl_libclang.EvalResult_getAsUnsigned
#define clang_EvalResult_getKind pl_libclang.EvalResult_getKind
#define clang_EvalResult_isUnsignedInt pl_libclang.EvalResult_isUnsignedInt
#define clang_File_isEqual pl_libclang.File_isEqual
#define clang_Location_isInSystemHeader pl_libclang.Location_isInSystemHeader
#define clang_Range_isNull pl_libclang.Range_isNull
#define clang_Type_getAlignOf pl_libclang.Type_getAlignOf
#define clang_Type_getSizeOf pl_libclang.Type_getSizeOf
#define clang_Type_getTemplateArgumentAsType pl_libclang.Type_getTemplateArgumentAsType
#define clang_Type_visitFields pl_libclang.Type_visitFields
#define clang_createIndex pl_libclang.createIndex
#define clang_disposeDiagnostic pl_libclang.disposeDiagnostic
#define clang_disposeIndex pl_libclang.disposeIndex
#define clang_disposeSourceRangeList pl_libclang.disposeSourceRangeList
#define clang_disposeString pl_libclang.disposeString
#define clang_disposeTranslationUnit pl_libclang.disposeTranslationUnit
#define clang_equalCursors pl_libclang.equalCursors
#define clang_equalLocations pl_libclang.equalLocations
#define clang_equalRanges pl_libclang.equalRanges
#define clang_equalTypes pl_libclang.equalTypes
#define clang_getArrayElementType pl_libclang.getArrayElementType
#define clang_getArraySize pl_libclang.getArraySize
#define clang_getCString pl_libclang.getCString
#define clang_getCXXAccessSpecifier pl_libclang.getCXXAccessSpecifier
#define clang_getCanonicalCursor pl_libclang.getCanonicalCursor
#define clang_getCanonicalType pl_libclang.getCanonicalType
#define clang_getClangVersion pl_libclang.getClangVersion
#define clang_getCursorBinaryOperatorKind pl_libclang.getCursorBinaryOperatorKind
#define clang_getCursorDefinition pl_libclang.getCursorDefinition
#define clang_getCursorExtent pl_libclang.getCursorExtent
#define clang_getCursorDisplayName pl_libclang.getCursorDisplayName
#define clang_getCursorKind pl_libclang.getCursorKind
#define clang_getCursorLocation pl_libclang.getCursorLocation
#define clang_getCursorReferenced pl_libclang.getCursorReferenced
#define clang_getCursorResultType pl_libclang.getCursorResultType
#define clang_getCursorSemanticParent pl_libclang.getCursorSemanticParent
#define clang_getCursorSpelling pl_libclang.getCursorSpelling
#define clang_getCursorType pl_libclang.getCursorType
#define clang_getCursorUnaryOperatorKind pl_libclang.getCursorUnaryOperatorKind
#define clang_getDiagnostic pl_libclang.getDiagnostic
#define clang_getDiagnosticLocation pl_libclang.getDiagnosticLocation
#define clang_getDiagnosticSeverity pl_libclang.getDiagnosticSeverity
#define clang_getDiagnosticSpelling pl_libclang.getDiagnosticSpelling
#define clang_getEnumConstantDeclUnsignedValue                                \
  pl_libclang.getEnumConstantDeclUnsignedValue
#define clang_getEnumConstantDeclValue pl_libclang.getEnumConstantDeclValue
#define clang_getEnumDeclIntegerType pl_libclang.getEnumDeclIntegerType
#define clang_getExpansionLocation pl_libclang.getExpansionLocation
#define clang_getFile pl_libclang.getFile
#define clang_getFileContents pl_libclang.getFileContents
#define clang_getFileLocation pl_libclang.getFileLocation
#define clang_getFileName pl_libclang.getFileName
#define clang_getInclusions pl_libclang.getInclusions
#define clang_getLocationForOffset pl_libclang.getLocationForOffset
#define clang_getNullCursor pl_libclang.getNullCursor
#define clang_getNumDiagnostics pl_libclang.getNumDiagnostics
#define clang_getNumOverloadedDecls pl_libclang.getNumOverloadedDecls
#define clang_getOverloadedDecl pl_libclang.getOverloadedDecl
#define clang_getPointeeType pl_libclang.getPointeeType
#define clang_getResultType pl_libclang.getResultType
#define clang_getRangeEnd pl_libclang.getRangeEnd
#define clang_getRangeStart pl_libclang.getRangeStart
#define clang_getSkippedRanges pl_libclang.getSkippedRanges
#define clang_getSpecializedCursorTemplate pl_libclang.getSpecializedCursorTemplate
#define clang_getSpellingLocation pl_libclang.getSpellingLocation
#define clang_getTemplateCursorKind pl_libclang.getTemplateCursorKind
#define clang_getTranslationUnitCursor pl_libclang.getTranslationUnitCursor
#define clang_getTypeDeclaration pl_libclang.getTypeDeclaration
#define clang_getTypeSpelling pl_libclang.getTypeSpelling
#define clang_getUnqualifiedType pl_libclang.getUnqualifiedType
#define clang_hashCursor pl_libclang.hashCursor
#define clang_isConstQualifiedType pl_libclang.isConstQualifiedType
#define clang_isAttribute pl_libclang.isAttribute
#define clang_isCursorDefinition pl_libclang.isCursorDefinition
#define clang_isDeclaration pl_libclang.isDeclaration
#define clang_isExpression pl_libclang.isExpression
#define clang_isInvalid pl_libclang.isInvalid
#define clang_isPODType pl_libclang.isPODType
#define clang_isReference pl_libclang.isReference
#define clang_isRestrictQualifiedType pl_libclang.isRestrictQualifiedType
#define clang_isStatement pl_libclang.isStatement
#define clang_isTranslationUnit pl_libclang.isTranslationUnit
#define clang_isVolatileQualifiedType pl_libclang.isVolatileQualifiedType
#define clang_parseTranslationUnit2 pl_libclang.parseTranslationUnit2
#define clang_saveTranslationUnit pl_libclang.saveTranslationUnit
#define clang_visitChildren pl_libclang.visitChildren

#endif
